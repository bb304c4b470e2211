import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { FormKey } from "#app/forms/form-key.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { ChangedSince } from "#app/live/changed-since.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { useHydrated, useIsLater } from "#app/ui/use-hydrated.ts";
import {
  asksIn,
  bigClass,
  FullGame,
  OnWaitlist,
  participationIn,
  rowClass,
} from "#app/routes/games/waitlist/bar.tsx";
import { OwnEntry } from "#app/routes/games/waitlist/lazy-entry.tsx";
import { Attending } from "./attending.tsx";
import type { FailedJoin } from "./game-row.server.ts";
import type { GamePage } from "./game-page.server.ts";

type JoinBarProps = { game: GamePage; result: FailedJoin | undefined };

// Always visible. The negative scroll margins stop a focused button in it from scrolling the page, and
// leave out its dialogs, which do scroll.
export function JoinBar({ game, result }: JoinBarProps) {
  // The failed form may have lost a race against another one.
  const isInDialog =
    result?.form !== undefined &&
    [asksIn(game), game.isIn && "cancel", result.confirms && "stop-paying"].includes(result.form);
  const isOutdated = (game.isIn && !result?.reason) || isInDialog;
  const message = isOutdated ? undefined : result?.formError;
  const { title = "Booking Error", tone = "danger" } = result ?? {};
  const confirms = result?.confirms;
  const hasPlans = !!result?.plans && !("failure" in result.plans);
  // The plan dialog is open over it.
  const isToast = useIsLater(result) && !hasPlans && !confirms;
  useEffect(() => {
    if (message && isToast) toast({ title, description: message, tone });
  }, [result, title, tone, message, isToast]);
  const hydrated = useHydrated();
  // The page above already says why a link is over.
  const isSaid = !!game.held && /^hold-/.test(result?.reason ?? "");
  return (
    <div id="join" data-bar tabIndex={-1} className={barClass}>
      {/* The hour may be out of sight. */}
      <ChangedSince
        key={game.id}
        facts={[`${game.shortDate}, ${game.start} – ${game.end}`, game.venue.place]}
      />
      {message && !isToast && !isSaid && (
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- without JavaScript the result is a new page: it begins here, or at its plans
        <div tabIndex={-1} autoFocus={!hydrated && !hasPlans} className="mb-3 outline-none">
          <Notice {...(confirms ? TWO_GAMES : { tone, title })}>{message}</Notice>
        </div>
      )}
      <div className={rowClass}>
        <State game={game} result={result} />
      </div>
    </div>
  );
}

// Where the screen is low it goes with the page, but beside a wide one's picture there is room. A
// dialog that is open without JavaScript is part of it, and higher than a screen.
const barClass =
  "sticky bottom-0 z-20 mt-8 border-t border-line bg-surface px-4 pt-3 pb-safe outline-none " +
  "max-md:-mb-12 md:bottom-4 md:rounded-card md:border-0 md:pb-3 md:shadow-card lg:mt-6 " +
  "not-short:max-lg:-scroll-mb-48 not-short:max-lg:[&_:not(dialog_*)]:-scroll-mb-48 " +
  "flat:-scroll-mb-28 flat:[&_:not(dialog_*)]:-scroll-mb-28 short:static flat:sticky lg:static " +
  "flat:bottom-0 flat:py-2 has-[dialog[open]:not(:modal)]:static";

// Few are paying as they look. The server waits for it, so it works without JavaScript.
const Paying = lazy(() => import("./paying.tsx").catch(() => ({ default: Bare })));

/** Until the rest has been loaded, which a page that is come back to does not wait for. */
function Bare({ game, children }: { game: GamePage; children?: ReactNode }) {
  return (
    <>
      <p className="font-semibold tabular-nums">
        {game.badge.text}
        {game.paying?.begun && ` · ${game.paying.begun.price}`}
      </p>
      {children}
    </>
  );
}

const TWO_GAMES = { tone: "warn", title: "Two games at once?", isUrgent: true } as const;

function State({ game, result }: JoinBarProps) {
  const state = participationIn(game);
  switch (state) {
    case "cancelled":
      return <CalledOff game={game} />;
    case "draft":
      return <Closed text="This game is a draft." />;
    case "was-in":
      // A booked player may not have come, so this does not say "played".
      return <Closed text="You were in this game." link={MY_GAMES} />;
    case "over":
      return <Closed text="This game is over." link={FIND_A_GAME} />;
    case "in":
    case "playing":
      return <Attending game={game} result={resultOf(result, "cancel")} />;
    case "started":
      return <Closed text="This game has started." />;
    case "full":
      return <FullGame game={game} result={result} />;
    case "paying": {
      const join = <JoinForm game={game} confirms={resultOf(result, "join")?.confirms} isPaying />;
      return (
        <Suspense fallback={<Bare game={game}>{join}</Bare>}>
          <Paying game={game} result={result}>
            {join}
          </Paying>
        </Suspense>
      );
    }
    case "friend-hold":
    case "open":
      return <JoinForm game={game} confirms={result?.confirms} />;
    case "waiting":
      return <OnWaitlist game={game} entry={game.waitlist!.entry!} result={result} />;
    default:
      return (
        <Suspense fallback={<Bare game={game} />}>
          <OwnEntry state={state} game={game} entry={game.waitlist!.entry!} result={result} />
        </Suspense>
      );
  }
}

/** Refunds are shown under My Games, and above with games to play instead. */
function CalledOff({ game }: { game: GamePage }) {
  const text = game.hadTooFewPlayers
    ? "This game was called off: too few players."
    : "This game was cancelled.";
  return <Closed text={text} link={game.wasIn && MY_GAMES} />;
}

const MY_GAMES = { to: "/bookings", label: "My Games" };
const FIND_A_GAME = { to: "/events", label: "Find a game" };

function Closed({ text, link }: { text: string; link?: typeof MY_GAMES | false }) {
  return (
    <>
      <p className="font-semibold">{text}</p>
      {link && <ButtonLink to={link.to}>{link.label}</ButtonLink>}
    </>
  );
}

type JoinFormProps = { game: GamePage; confirms: string | undefined; isPaying?: boolean };

/** Beside the button that goes on with the payment. */
const LINK = { variant: "quiet", className: "link border-0! px-0! text-sm" } as const;

/** `confirms`: the key of the question about another game at that time. */
function JoinForm({ game, confirms, isPaying }: JoinFormProps) {
  const isOther = isPaying && !!game.paying?.begun;
  const join = isOther ? "Change plan" : isPaying ? "Continue to payment" : "Pay and join";
  return (
    <>
      {!isPaying && (
        <p className="tabular-nums">
          <strong className="block text-lg leading-tight">{game.price.text}</strong>
          <span className="text-sm text-muted">{game.price.note ?? game.balance}</span>
        </p>
      )}
      <IntentForm intent="join" preventScrollReset>
        <FormKey />
        {game.isSignedIn && <input type="hidden" name="priceShown" value={game.price.credits} />}
        <Shown facts={game.shown} />
        <input type="hidden" name="overlap" value={confirms ?? "ask"} />
        {game.held?.token && <input type="hidden" name="hold" value={game.held.token} />}
        <SubmitButton
          {...(isOther ? LINK : { variant: "primary", size: "lg", className: bigClass })}
          wide={isPaying}
          pendingLabel={isPaying && game.isShort ? "Opening plans…" : "Joining…"}
        >
          {confirms ? "Join anyway" : game.isShort ? join : "Join game"}
        </SubmitButton>
      </IntentForm>
    </>
  );
}
