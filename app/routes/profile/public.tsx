import { data, redirect } from "react-router";
import { findEventStats, findResults } from "#app/features/players/cards.server.ts";
import { findPublicProfile } from "#app/features/players/profiles.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import type { Route } from "./+types/public";
import { Facts } from "./facts.tsx";
import { Interests } from "./interests.tsx";
import { LoadFailed } from "./load-failed.tsx";
import { ProfilePanel } from "./profile-panel.tsx";
import { showPublic } from "./profile-words.server.ts";
import { Stats } from "./stats.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const viewer = context.get(viewerContext);
  if (params.userId.toLowerCase() === viewer.userId) throw redirect("/profile");
  const profile = await findPublicProfile(db, params.userId);
  if (!profile) return data({ player: null }, { status: 404 });
  const [stats, results] = await Promise.all([
    findEventStats(db, params.userId, now()),
    findResults(db, params.userId),
  ]);
  return data({ player: { ...showPublic(profile), stats, results } });
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(siteOf(matches), {
    title: loaderData?.player?.name ?? "Profile Not Found",
  });

export default function PublicProfile({ loaderData }: Route.ComponentProps) {
  const { player } = loaderData;
  if (!player)
    return <Missing title="Profile Not Found" back={{ to: "/events", label: "Back to Games" }} />;
  return (
    <div className="mx-auto grid max-w-2xl gap-8 px-4 pt-4">
      <div className="grid gap-2">
        <BackLink to="/events">Back</BackLink>
        <ProfilePanel
          name={player.name}
          src={player.profilePictureUrl}
          facts={<Facts profile={player} />}
        />
      </div>
      <Stats title="Stats" stats={player.stats} results={player.results} />
      <Interests profile={player} />
    </div>
  );
}

export function ErrorBoundary() {
  return <LoadFailed />;
}
