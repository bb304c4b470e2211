import { type MouseEvent, useEffect } from "react";
import { data, redirect, useLocation, useNavigate, useOutletContext } from "react-router";
import { isFirstBooking, listAttendees } from "#app/features/bookings/bookings.server.ts";
import { hasDevice } from "#app/features/notifications/devices.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { gamePath } from "#app/features/friends/rules.ts";
import { isId } from "#app/platform/ids.ts";
import { singleFlight } from "#app/platform/single-flight.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import type { GamePage } from "#app/routes/games/game-page.server.ts";
import { deviceForms } from "#app/routes/push/device-forms.server.ts";
import { getViewer, signedInToSend } from "#app/routes/guards.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Check } from "#app/ui/icon.tsx";
import type { Route } from "./+types/show";
import PushOffer from "./push-offer.tsx";
import { Evening } from "./evening.tsx";

const FACES = 6;

/** Where every first join of a game leads, once; later it is the game's own page. */
export async function loader({ params: { gameId }, context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  // A redirect cannot hold any character that an address may.
  if (!isId(gameId)) throw data(null, 404);
  const viewer = await getViewer(context);
  const ids = { gameId, playerId: viewer?.userId ?? "", now: now() };
  if (!viewer || !(await isFirstBooking(db, ids))) throw redirect(gamePath(gameId));
  const attendees = await singleFlight(db, `players ${gameId}`, () => listAttendees(db, gameId));
  const others = attendees.filter(({ userId }) => userId !== viewer.userId);
  const faces = others.slice(0, FACES).map((player) => ({
    userId: player.userId,
    firstName: player.firstName,
    name: `${player.firstName} ${player.lastName}`,
    pictureUrl: player.profilePictureUrl,
  }));
  const asksForPush = env.vapid && !(await hasDevice(db, viewer.sessionId));
  return {
    players: { faces, more: others.length - faces.length },
    push: asksForPush ? { brandName: env.brandName, publicKey: env.vapid!.publicKey } : null,
  };
}

export const middleware: Route.MiddlewareFunction[] = [signedInToSend()];

export const action = formActions({ "device-on": deviceForms["device-on"] });

export default function Joined({ loaderData, actionData }: Route.ComponentProps) {
  const { players, push } = loaderData;
  const game = useOutletContext<GamePage>();
  const path = gamePath(game.id);
  const { key } = useLocation();
  const navigate = useNavigate();
  // Reloading the page, or coming back to it, then shows the game alone.
  useEffect(() => history.replaceState(history.state, "", path), [path, key]);
  return (
    <Dialog
      id="joined"
      open
      onClose={() => void navigate(path, BACK)}
      title={
        <span className="flex items-center gap-3">
          <span className="grid size-8 place-items-center rounded-pill bg-accent text-on-accent">
            <Check className="size-5" />
          </span>
          You're in
        </span>
      }
      footer={
        <ButtonLink to={path} variant="primary" size="lg" wide onClick={closeInstead}>
          Done
        </ButtonLink>
      }
    >
      <Evening game={game} players={players} />
      {push && <PushOffer {...push} result={actionData} />}
    </Dialog>
  );
}

const BACK = { replace: true, preventScrollReset: true, state: { focus: "#join" } };

/** The dialog leads on by itself, and gives the focus back. */
function closeInstead(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  event.currentTarget.closest("dialog")!.close();
}
