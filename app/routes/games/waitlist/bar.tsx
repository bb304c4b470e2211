import { type ComponentProps, lazy, memo, Suspense } from "react";
import { useSearchParams } from "react-router";
import { participation } from "#app/features/bookings/participation.ts";
import { resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Dialog, DialogTrigger } from "#app/ui/dialog.tsx";
import type { FailedJoin } from "#app/routes/games/game-row.server.ts";
import type { GamePage } from "#app/routes/games/game-page.server.ts";
import { LeaveDialog } from "#app/routes/waitlist/entry-parts.tsx";
import type { EntryView, WaitlistView } from "#app/routes/waitlist/view.server.ts";

// Only full games need it. The server waits for it, so it works without JavaScript.
const loadForm = () => import("./dialog.tsx");
const LazyForm = lazy(() => loadForm().catch(() => ({ default: NotLoaded })));

export interface BarProps {
  game: GamePage;
  result: FailedJoin | undefined;
}
export type OwnProps = BarProps & { entry: EntryView };

/** Which waitlist form the page's dialog holds; it shows its own errors. Null without one. */
export function asksIn(game: GamePage): "wait" | "change-wait" | null {
  if (!game.waitlist?.terms) return null;
  const state = participationIn(game);
  if (state === "waiting") return "change-wait";
  return state === "changed" || state === "full" ? "wait" : null;
}

export const participationIn = (game: GamePage) =>
  participation({
    ...game,
    hasFriendHold: !!game.held?.token,
    isPaying: !!game.paying?.holdsSpot,
    entry: game.waitlist?.entry?.state ?? null,
  });

export function FullGame({ game, result }: BarProps) {
  const { waitlist, isSignedIn } = game;
  const isOffer = useSearchParams()[0].get("offer") === "1";
  if (!isSignedIn && isOffer) return <SignedOutOffer game={game} />;
  return (
    <>
      <div>
        <button type="button" disabled className="wide text-sm font-bold text-danger">
          GAME FULL
        </button>
        <p className="text-sm text-muted tabular-nums">
          {!isSignedIn && <span className="block">{game.price.text}</span>}
          {waitlist?.waiting}
        </p>
      </div>
      {waitlist && <Wait game={game} waitlist={waitlist} result={result} />}
    </>
  );
}

export function OnWaitlist({ game, entry, result }: OwnProps) {
  const isOver = useSearchParams()[0].get("offer") === "1";
  return (
    <>
      <p>
        {isOver && <span className="block font-semibold text-danger">This offer is over.</span>}
        <strong className="tabular-nums">{entry.position}</strong> on the waitlist
      </p>
      {game.waitlist?.terms && (
        <>
          <DialogTrigger dialog="waitlist">Manage</DialogTrigger>
          <WaitDialog
            game={game}
            terms={game.waitlist.terms}
            entry={entry}
            title="Your place on the waitlist"
            result={resultOf(result, "change-wait")}
          />
        </>
      )}
    </>
  );
}

/** For readers of an email, who have an account. */
function SignedOutOffer({ game }: { game: GamePage }) {
  const back = encodeURIComponent(`/events/${game.id}?offer=1`);
  return (
    <>
      <p>
        <strong className="block">Have you been offered a spot?</strong>
        <span className="text-sm text-muted">Sign in to take it.</span>
      </p>
      <ButtonLink
        to={`/auth?from=email&redirectTo=${back}`}
        variant="primary"
        size="lg"
        className={bigClass}
      >
        Sign in
      </ButtonLink>
    </>
  );
}

/** A text and one action: one row where it has room, else one below the other. */
export const rowClass =
  "flex min-h-13 flex-wrap items-center gap-x-4 gap-y-2 *:grow *:first:min-w-[7rem] *:first:grow-999 " +
  "*:first:basis-0 *:first:leading-tight";

/** A spot that is held: until when, what to do with it, in one card. */
export const heldClass = "grid grow items-center gap-x-6 gap-y-2 md:max-lg:grid-cols-[1fr_auto]";

export const bigClass = "max-sm:px-4!";

function Wait({ game, waitlist, result }: BarProps & { waitlist: WaitlistView }) {
  if (waitlist.terms) {
    return (
      <>
        <DialogTrigger dialog="waitlist" variant="primary" size="lg" className={bigClass}>
          Join waitlist
        </DialogTrigger>
        <WaitDialog
          game={game}
          terms={waitlist.terms}
          title="Join the waitlist"
          result={resultOf(result, "wait")}
        />
      </>
    );
  }
  return (
    <IntentForm intent="wait" preventScrollReset>
      <SubmitButton variant="primary" size="lg" pendingLabel="Joining…" className={bigClass}>
        Join waitlist
      </SubmitButton>
    </IntentForm>
  );
}

type FormProps = ComponentProps<typeof LazyForm>;
type WaitDialogProps = Omit<FormProps, "price" | "balance" | "gameId"> & {
  game: GamePage;
  title: string;
};

// The dialog itself is never lazy: a tap may open it before the scripts start, and React replaces
// what it has not loaded as soon as anything around it changes.
export function WaitDialog({ game, title, ...form }: WaitDialogProps) {
  return (
    <>
      <Dialog id="waitlist" title={title} open={form.result}>
        <WaitForm {...form} gameId={game.id} price={game.price.credits} balance={game.balance} />
      </Dialog>
      {form.entry && <LeaveDialog gameId={game.id} entry={form.entry} />}
    </>
  );
}

const WaitForm = memo((props: FormProps) => (
  <Suspense>
    <LazyForm {...props} />
  </Suspense>
));

function NotLoaded() {
  return <p>This could not be loaded. Please reload the page.</p>;
}
