import { Badge } from "#app/ui/badge.tsx";
import type { PublicWords } from "./profile-words.server.ts";

type FactsProps = { profile: PublicWords; age?: string };

/** Age, position, country and whether somebody wants to play, as far as they are known. */
export function Facts({ profile, age }: FactsProps) {
  const { position, country, isDownToPlay } = profile;
  return (
    <>
      <ul className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {age && <li className="tabular-nums">{age}</li>}
        {position && (
          <li>
            <Badge>
              <abbr title={position.name} className="no-underline">
                {position.key}
              </abbr>
            </Badge>
          </li>
        )}
        {country && (
          <li className="flex items-center gap-2">
            {country.flag && <Flag src={country.flag} />}
            {country.name}
          </li>
        )}
        {isDownToPlay && (
          <li>
            <Badge tone="lime">Down to play</Badge>
          </li>
        )}
      </ul>
      <p className="text-muted">
        {profile.schoolYear} · {profile.major}
      </p>
    </>
  );
}

/** A country's flag; the name stands beside it. */
export function Flag({ src }: { src: string }) {
  return (
    <img
      src={src}
      alt=""
      width="24"
      height="16"
      loading="lazy"
      className="h-4 w-6 shrink-0 object-cover outline-1 outline-line"
    />
  );
}
