import { Badge } from "#app/ui/badge.tsx";
import type { PublicWords } from "./profile-words.server.ts";

/** The sports that somebody likes; nothing where none are named. */
export function Interests({ profile }: { profile: PublicWords }) {
  if (profile.sportsInterests.length === 0) return null;
  return (
    <section aria-labelledby="interests" className="grid gap-3">
      <h2 id="interests" className="text-lg">
        Sports interests
      </h2>
      <ul className="flex flex-wrap gap-2">
        {profile.sportsInterests.map((sport) => (
          <li key={sport} className="max-w-full">
            <Badge className="max-w-full whitespace-normal!">{sport}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
