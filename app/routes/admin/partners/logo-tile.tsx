import { classNames } from "#app/ui/class-names.ts";
import type { PartnerWords } from "./partner-words.ts";

type LogoTileProps = { partner: Pick<PartnerWords, "name" | "logoUrl">; className?: string };

/** The logo as the front page shows it: on pale ground, by night too. */
export function LogoTile({ partner: { name, logoUrl }, className = "h-14 w-28" }: LogoTileProps) {
  return (
    <div
      className={classNames(
        "grid shrink-0 place-items-center overflow-hidden rounded-card border border-line bg-chalk p-2 text-night",
        className,
      )}
    >
      {logoUrl ? (
        <img
          src={logoUrl}
          alt={name}
          width={96}
          height={40}
          loading="lazy"
          decoding="async"
          className="size-full object-contain"
        />
      ) : (
        <span className="text-center text-sm font-semibold">No logo</span>
      )}
    </div>
  );
}
