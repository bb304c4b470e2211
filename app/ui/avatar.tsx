import { classNames } from "./class-names.ts";
import { ownPath } from "./picture.tsx";

type AvatarProps = {
  src?: string | null | undefined;
  name?: string | null | undefined;
  initials?: string | undefined;
  size?: "sm" | "md" | "lg" | "xl" | undefined;
  label?: string | undefined;
  className?: string | undefined;
};

/** A player's picture, otherwise initials, otherwise a silhouette. 32, 44, 72 or 112 px. */
export function Avatar({
  src,
  name,
  size = "md",
  label,
  className,
  initials = initialsOfName(name),
}: AvatarProps) {
  const own = ownPath(src);
  return (
    <span
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
      className={classNames(
        "relative inline-grid shrink-0 place-items-center overflow-hidden rounded-pill bg-sunken",
        "font-bold text-ink uppercase",
        sizes[size],
        className,
      )}
    >
      {own ? <Face src={own} width={widths[size]} /> : initials || <Silhouette />}
    </span>
  );
}

// Stored pictures come in 128 and 512 px.
const ownPicture = /^\/files\/.+-512\.webp$/;

/** For up to 64 px; null if the picture is not ours. */
export function smallPicture(src: string | null): string | null {
  const own = ownPath(src);
  return own && ownPicture.test(own) ? own.replace("-512.", "-128.") : own;
}

function Face({ src, width }: { src: string; width: number }) {
  return (
    <img
      src={src}
      {...(ownPicture.test(src) && {
        srcSet: `${smallPicture(src)} 128w, ${src} 512w`,
        sizes: `${width}px`,
      })}
      alt=""
      width="112"
      height="112"
      loading="lazy"
      decoding="async"
      className="size-full object-cover"
    />
  );
}

function Silhouette() {
  return (
    <svg viewBox="0 0 44 44" className="size-full text-muted" fill="currentColor">
      <circle cx="22" cy="18" r="7.5" />
      <path d="M7 46c0-10.5 6.5-16 15-16s15 5.5 15 16z" />
    </svg>
  );
}

export function initialsOfName(name: string | null | undefined): string {
  const words = name?.trim().split(/\s+/) ?? [];
  return initialsOf(words.length > 1 ? [words[0]!, words.at(-1)!] : words);
}

export function initialsOf(names: string[]): string {
  const initials = names.map((name) => [...name.trim()][0] ?? "").join("");
  // Adjacent Arabic characters would be joined.
  return initials.replace(/(\p{Script=Arabic})(?=\p{Script=Arabic})/gu, "$1 ").toUpperCase();
}

const widths = { sm: 32, md: 44, lg: 72, xl: 112 };

const sizes = {
  sm: "size-8 text-[14px]",
  md: "size-11 text-[16px]",
  lg: "size-18 text-[28px]",
  xl: "size-28 text-[44px]",
};
