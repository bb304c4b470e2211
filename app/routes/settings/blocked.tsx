import { Link } from "react-router";
import { listBlocked, unblock } from "#app/features/chat/blocks.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/blocked";
import { SettingsPage } from "./settings-page.tsx";

export const meta = metaOf({ title: "Blocked players", path: "/settings/blocked" });

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const players = await listBlocked(db, context.get(viewerContext).userId);
  return {
    players: players.map(({ at, ...player }) => ({
      ...player,
      since: monthDayYear(helsinkiDate(at)),
    })),
  };
}

export const action = formActions({
  unblock: playerRow({
    failed: "Failed to unblock",
    run: ({ db, viewer: { userId }, fields: { playerId = "" } }) =>
      unblock(db, { userId, blockedId: playerId }),
    errors: {},
    done: { title: "Unblocked" },
  }),
});

export default function Blocked({ loaderData: { players }, actionData }: Route.ComponentProps) {
  return (
    <SettingsPage
      title="Blocked players"
      lead="Block someone from the menu next to their message in a game's chat. Their messages are hidden from you; they are not notified."
    >
      <FormErrors result={actionData} />
      {players.length === 0 ? (
        <EmptyState>You have blocked nobody.</EmptyState>
      ) : (
        <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
          {players.map((player) => (
            <BlockedPlayer key={player.id} player={player} />
          ))}
        </ul>
      )}
    </SettingsPage>
  );
}

type Player = Route.ComponentProps["loaderData"]["players"][number];

function BlockedPlayer({ player: { id, name, pictureUrl, since } }: { player: Player }) {
  return (
    <li className="flex items-center gap-3 p-4">
      <Avatar size="sm" src={pictureUrl} name={name} />
      <div className="min-w-0 grow">
        <Link
          translate="no"
          to={`/profile/${id}`}
          className="font-semibold wrap-anywhere hover:underline"
        >
          {name}
        </Link>
        <p className="text-sm text-muted tabular-nums">Since {since}</p>
      </div>
      <IntentForm intent="unblock" hidden={{ playerId: id }}>
        <SubmitButton pendingLabel="Unblock" aria-label={`Unblock ${name}`}>
          Unblock
        </SubmitButton>
      </IntentForm>
    </li>
  );
}
