import type { ReactNode } from "react";
import { LoadFailure } from "#app/routes/load-failure.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import type { PublicView } from "./profile-view.server.ts";

type ProfilePanelProps = {
  profile: PublicView;
  age?: string;
  corner?: ReactNode;
  children?: ReactNode;
};

export function ProfilePanel({ profile, age, corner, children }: ProfilePanelProps) {
  const { name, profilePictureUrl: src } = profile;
  return (
    <header className="relative isolate grid grid-cols-1 gap-5 overflow-clip rounded-card bg-surface p-5 shadow-card">
      <CentreCircle className="-top-16 -right-16 size-72" />
      <div className="flex items-start gap-4">
        <Avatar
          size="xl"
          src={src}
          name={name}
          className="max-[24rem]:size-18 max-[24rem]:text-xl"
        />
        <div className="grid min-w-0 grow gap-2 pt-1">
          <h1 className={`text-xl wrap-anywhere ${corner ? "pr-8" : ""}`}>{name}</h1>
          <Facts profile={profile} age={age} />
        </div>
        {corner && <div className="absolute top-2 right-2">{corner}</div>}
      </div>
      {children}
    </header>
  );
}

function Facts({ profile, age }: { profile: PublicView; age: string | undefined }) {
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
  stats: { joined: number; created: number };
  /** As on the player card; null until a result is recorded. */
  results?: { wins: number | null; goals: number | null };
};

export function Stats({ title, stats, results }: StatsProps) {
  return (
    <section aria-labelledby="stats" className="grid gap-3">
      <h2 id="stats" className="text-lg">
        {title}
      </h2>
      <dl className="grid grid-cols-2 gap-3">
        <Stat name="Events joined" value={stats.joined} />
        <Stat name="Events created" value={stats.created} />
        {results && (
          <>
            <Stat name="Total wins" value={results.wins ?? "-"} />
            <Stat name="Total goals" value={results.goals ?? "-"} />
          </>
        )}
      </dl>
    </section>
  );
}

function Stat({ name, value }: { name: string; value: number | string }) {
  return (
    <div className="flex flex-col-reverse rounded-card bg-surface p-4 shadow-card">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-2xl font-extrabold tabular-nums">{value}</dd>
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
