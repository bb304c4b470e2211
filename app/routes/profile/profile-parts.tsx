import type { ReactNode } from "react";
import { LoadFailure } from "#app/routes/load-failure.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import { UnbrokenText } from "#app/ui/unbroken-text.tsx";
import type { PublicView, StatsView } from "./profile-view.server.ts";

type ProfilePanelProps = {
  profile: PublicView;
  age?: string;
  corner?: ReactNode;
  children?: ReactNode;
};

export function ProfilePanel({ profile, age, corner, children }: ProfilePanelProps) {
  const { name, profilePictureUrl: src } = profile;
  return (
    <div className="overflow-clip rounded-card bg-surface shadow-card">
      <div className="relative isolate h-20 overflow-hidden bg-pitch sm:h-24">
        <CentreCircle className="top-1/2 -right-10 size-56 -translate-y-1/2 text-chalk/30" />
      </div>
      <div className="grid gap-4 px-5 pb-5">
        <div className="flex items-end justify-between">
          <Avatar
            size="xl"
            src={src}
            name={name}
            className="relative -mt-14 border-4 border-surface"
          />
          {corner}
        </div>
        <div className="grid gap-2">
          <h1 translate="no" className={nameSize(name)}>
            <UnbrokenText text={name} />
          </h1>
          <ProfileFacts profile={profile} age={age} />
        </div>
        {children}
      </div>
    </div>
  );
}

/** Smaller if a word would not fit on a line of a small phone. */
function nameSize(name: string): string {
  const longest = Math.max(...name.split(/[\s-]/).map((word) => word.length));
  if (longest <= 12) return "text-xl";
  return longest <= 15 ? "text-[min(1.5rem,9vw)] sm:text-xl" : "text-lg sm:text-xl";
}

function ProfileFacts({ profile, age }: { profile: PublicView; age: string | undefined }) {
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

type StatsProps = {
  title: string;
  stats: StatsView;
  favouriteVenue?: string | null;
};

export function Stats({ title, stats, favouriteVenue }: StatsProps) {
  return (
    <section aria-labelledby="stats" className="grid gap-3">
      <h2 id="stats" className="text-lg">
        {title}
      </h2>
      <dl className="flex flex-wrap gap-3">
        {stats.numbers.map(({ label, value }) => (
          <Stat key={label} name={label} value={value} className="text-2xl" />
        ))}
        {favouriteVenue && (
          <Stat name="Favourite venue" value={favouriteVenue} isName className="text-lg" />
        )}
      </dl>
      <p className="text-sm text-muted tabular-nums">{stats.events}</p>
    </section>
  );
}

type StatProps = { name: string; value: string; isName?: boolean; className: string };

function Stat({ name, value, isName, className }: StatProps) {
  return (
    <div className="flex grow basis-34 flex-col-reverse justify-end rounded-card bg-surface p-4 shadow-card">
      <dt className="text-sm text-muted">{name}</dt>
      <dd
        translate={isName ? "no" : undefined}
        className={`font-extrabold tabular-nums ${className}`}
      >
        {value}
      </dd>
    </div>
  );
}

export function Interests({ sports }: { sports: string[] }) {
  if (sports.length === 0) return null;
  return (
    <section aria-labelledby="interests" className="grid gap-3">
      <h2 id="interests" className="text-lg">
        Sports interests
      </h2>
      <ul className="flex flex-wrap gap-2">
        {sports.map((sport) => (
          <li key={sport} className="max-w-full">
            <Badge className="max-w-full whitespace-normal!">{sport}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const LoadFailed = () => (
  <LoadFailure title="Error">Failed to load profile data</LoadFailure>
);
