import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import { Form, Link, useNavigation, useSearchParams } from "react-router";
import { FormKey } from "#app/forms/form-key.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog, DialogTrigger } from "#app/ui/dialog.tsx";
import type { FailedJoin } from "./actions.server.ts";
import type { GamePage } from "./game-page.server.ts";
import type { PlaceView, WaitlistView } from "./waitlist-view.server.ts";

// Only full games need it. The server waits for it: it is there without JavaScript too.
const loadDialog = () => import("./waitlist-dialog.tsx");
const LazyDialog = lazy(() => loadDialog().catch(() => ({ default: NotLoaded })));

interface BarProps {
  game: GamePage;
  result: FailedJoin | undefined;
}
type OwnProps = BarProps & { place: PlaceView };

/** Whether the page has the dialog that joins the waitlist, which shows its own errors. */
export function asksToWait({ waitlist, spots }: GamePage): boolean {
  if (!waitlist?.terms) return false;
  return waitlist.place ? waitlist.place.needsConsent : spots === 0;
}

/** Every spot is taken, or belongs to those who wait. */
export function FullGame({ game, result }: BarProps) {
  const { waitlist, isSignedIn } = game;
  return (
    <div className="grid grow gap-3">
      <div className="flex items-center justify-between gap-4 text-sm text-muted">
        <p className="tabular-nums">Every spot is taken. {waitlist?.waiting}</p>
        {isSignedIn && (
          <Link to="/events" className="link flex min-h-11 shrink-0 items-center font-semibold">
            Find another game
          </Link>
        )}
      </div>
      <Pair>
        <Full />
        {waitlist && <Wait game={game} waitlist={waitlist} result={result} />}
      </Pair>
    </div>
  );
}

function Pair({ children }: { children: ReactNode }) {
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-3 max-[22rem]:grid-flow-row">
      {children}
    </div>
  );
}

function Full() {
  return (
    <Button type="button" disabled size="lg" wide className="px-2! whitespace-nowrap">
      GAME FULL
    </Button>
  );
}

const bigClass = "px-2! w-full whitespace-nowrap";

function Wait({ game, waitlist, result }: BarProps & { waitlist: WaitlistView }) {
  const isOffer = useSearchParams()[0].get("offer") === "1";
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
  if (isOffer) {
    const back = encodeURIComponent(`/events/${game.id}?offer=1`);
    return (
      <ButtonLink to={`/auth?redirectTo=${back}`} variant="primary" size="lg" className={bigClass}>
        Sign in to take it
      </ButtonLink>
    );
  }
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="wait" />
      <Button variant="primary" size="lg" className={bigClass}>
        Join waitlist
      </Button>
    </Form>
  );
}

function WaitDialog(props: ComponentProps<typeof LazyDialog>) {
  return (
    <Suspense>
      <LazyDialog {...props} />
    </Suspense>
  );
}

function NotLoaded() {
  return (
    <Dialog id="waitlist" title="Join the waitlist">
      <p>This could not be loaded. Please reload the page.</p>
    </Dialog>
  );
}

/** The viewer waits. */
export function OnWaitlist({ game, place, result }: OwnProps) {
  const [query] = useSearchParams();
  if (place.needsConsent) return <Changed game={game} place={place} result={result} />;
  const isOver = query.get("offer") === "1";
  return (
    <div className="grid grow gap-3">
      <p>
        {isOver && <span className="block font-semibold text-danger">This offer is over.</span>}
        <strong className="text-lg tabular-nums">{place.position}</strong> on the waitlist
        <span className="block text-sm text-muted">{place.what}</span>
      </p>
      <Pair>
        <Full />
        <LeaveForm label="Leave waitlist" />
      </Pair>
    </div>
  );
}

const CHANGED = "The game has changed. Still want a spot?";

function Changed({ game, place, result }: OwnProps) {
  const terms = game.waitlist?.terms;
  return (
    <div className="grid grow gap-3">
      <p>
        <strong className="block text-lg">{CHANGED}</strong>
        <span className="text-sm text-muted tabular-nums">
          {place.position} on the waitlist, and keep your place. Nothing is taken until you agree
          again.
        </span>
      </p>
      <Pair>
        <LeaveForm label="Leave waitlist" />
        <DialogTrigger dialog="waitlist" variant="primary" size="lg" className={bigClass}>
          Still want a spot
        </DialogTrigger>
      </Pair>
      {terms && (
        <WaitDialog
          game={game}
          terms={{ ...terms, position: `${place.position} on the waitlist.` }}
          title={CHANGED}
          result={resultOf(result, "wait")}
        />
      )}
    </div>
  );
}

/** A spot is held for the viewer: a dialog for who comes from the email, and in the bar. */
export function Offer({ game, place, result }: OwnProps) {
  const [query] = useSearchParams();
  const title = `A spot is held for you until ${place.offeredUntil}`;
  const price = game.price.isFree ? "It is free." : `${game.price.credits} credits are taken.`;
  const buttons = (
    <Pair>
      <LeaveForm label="No thanks" />
      <TakeForm game={game} result={result} />
    </Pair>
  );
  const about = (
    <p className="text-sm text-muted tabular-nums">
      {price} {game.balance && `${game.balance}. `}“No thanks” takes you off the waitlist.
    </p>
  );
  return (
    <div className="grid grow gap-3">
      <div>
        <p className="text-lg font-bold tabular-nums">{title}</p>
        {about}
      </div>
      {buttons}
      {query.get("offer") === "1" && (
        <Dialog id="offer" title={title} open={!result}>
          <p className="font-semibold">
            {game.venue.name}, {game.shortDate}, {game.start}
          </p>
          <div className="mt-1 mb-6">{about}</div>
          {buttons}
        </Dialog>
      )}
    </div>
  );
}

function TakeForm({ game, result }: BarProps) {
  const isTaking = useNavigation().formData?.get("intent") === "take-offer";
  const asks = resultOf(result, "take-offer")?.reason === "plays-meanwhile";
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="take-offer" />
      <FormKey />
      <input type="hidden" name="priceShown" value={game.price.credits} />
      <input type="hidden" name="overlap" value={asks ? "join" : "ask"} />
      <Button
        variant="primary"
        size="lg"
        pending={isTaking}
        pendingLabel="Joining…"
        className={bigClass}
      >
        {asks ? "Take it anyway" : "Take it"}
      </Button>
    </Form>
  );
}

function LeaveForm({ label }: { label: string }) {
  const isLeaving = useNavigation().formData?.get("intent") === "leave-waitlist";
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="leave-waitlist" />
      <Button size="lg" pending={isLeaving} pendingLabel="Leaving…" className={bigClass}>
        {label}
      </Button>
    </Form>
  );
}
