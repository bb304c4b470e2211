import { data, isRouteErrorResponse, redirect } from "react-router";
import { findStats } from "#app/features/players/cards.server.ts";
import { findPublicProfile } from "#app/features/players/profiles.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import type { Route } from "./+types/public";
import { Interests, LoadFailed, ProfilePanel, Stats } from "./profile-parts.tsx";
import { toPublicView, toStatsView } from "./profile-view.server.ts";
import { Missing } from "#app/routes/error-screens.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const viewer = context.get(viewerContext);
  if (params.userId.toLowerCase() === viewer.userId) throw redirect("/profile");
  const profile = await findPublicProfile(db, params.userId);
  if (!profile) throw data(null, { status: 404 });
  const stats = toStatsView(await findStats(db, params.userId, now()));
  return { player: { ...toPublicView(profile), stats } };
}

const NOT_FOUND = "Profile Not Found";

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(siteOf(matches), { title: loaderData?.player.name ?? NOT_FOUND });

export default function PublicProfilePage({ loaderData: { player } }: Route.ComponentProps) {
  return (
    <div className="mx-auto grid max-w-2xl gap-8 px-4 pt-4">
      <div className="grid gap-2">
        <BackLink to="/events">Back</BackLink>
        <ProfilePanel profile={player} />
      </div>
      <Stats title="Stats" stats={player.stats} />
      <Interests sports={player.sportsInterests} />
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  if (!isMissing) return <LoadFailed />;
  return <Missing title={NOT_FOUND} back={{ to: "/events", label: "Back to Games" }} />;
}
