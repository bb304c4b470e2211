import { data } from "react-router";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { rethrow } from "#app/forms/unknown-outcome.server.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import { useRefusalToast } from "#app/forms/use-refusal-toast.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/show";
import { BalanceForm } from "./balance-form.tsx";
import { BookingList } from "./booking-list.tsx";
import { doToPlayer } from "./player-deeds.server.ts";
import { PlayerHeader } from "./player-header.tsx";
import { loadPlayerPage, type PlayerPage } from "./player-page.server.ts";
import { PlayerStatement } from "./player-statement.tsx";
import { RoleForm } from "./role-form.tsx";
import { SuspensionForm } from "./suspension-form.tsx";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { userId } = context.get(viewerContext);
  const page = await loadPlayerPage(context.get(appContext), params.playerId, readBefore(request));
  return page ? data({ ...page, isSelf: page.player.id === userId }) : data(null, 404);
}

/** Where the page of the statement begins; what is no place in a ledger begins at its end. */
function readBefore(request: Request): number | undefined {
  const text = new URL(request.url).searchParams.get("before") ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { userId: actor } = context.get(viewerContext);
  const fields = await formFields(request);
  const deed = { ...params, actor, fields };
  const answer = await doToPlayer(context.get(appContext), deed).catch(rethrow);
  return answer ?? data(null, 404);
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(siteOf(matches), {
    title: loaderData?.player.name ?? "Player not found",
  });

export default function Player({ loaderData: page, actionData }: Route.ComponentProps) {
  useRefusalToast(actionData);
  if (!page) {
    const back = { to: "/admin/players", label: "Back to Players" };
    return <Missing title="Player not found" back={back} />;
  }
  return <Desk key={page.player.id} page={page} answer={actionData} />;
}

type DeskProps = {
  page: PlayerPage & { isSelf: boolean };
  answer: Route.ComponentProps["actionData"];
};

function Desk({ page, answer }: DeskProps) {
  const { player, isSelf, correctionKey, next, earlier } = page;
  const of = (form: string) => (answer?.form === form ? answer : undefined);
  const lost = of("page");
  return (
    <div className="grid gap-6">
      <div className="grid gap-2">
        <BackLink to="/admin/players">Players</BackLink>
        <PlayerHeader player={player} />
      </div>
      {lost && (
        <Notice tone="danger" title={lost.title}>
          {lost.description}
        </Notice>
      )}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <BalanceForm
          key={correctionKey}
          player={player}
          correctionKey={correctionKey}
          answer={of("balance")}
        />
        <div className="grid gap-4">
          <SuspensionForm player={player} isSelf={isSelf} answer={of("suspension")} />
          <RoleForm player={player} isSelf={isSelf} answer={of("role")} />
        </div>
      </div>
      <BookingList title="Upcoming bookings" empty="No games to come." bookings={next} />
      <BookingList
        title="Earlier bookings"
        empty="No earlier games."
        bookings={earlier}
        more={page.hasMoreEarlier ? `These are the latest ${earlier.length}.` : null}
      />
      <PlayerStatement playerId={player.id} {...page} />
    </div>
  );
}
