import { useEffect } from "react";
import { Form, Link, useNavigation } from "react-router";
import { FormKey } from "#app/forms/form-key.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, buttonClass, ButtonLink } from "#app/ui/button.tsx";
import { DialogTrigger } from "#app/ui/dialog.tsx";
import { Calendar, Check, Share } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useKeptFocus } from "#app/ui/page-change.tsx";
import { toast } from "#app/ui/toast.ts";
import { useHydrated, useIsLater } from "#app/ui/use-hydrated.ts";
import type { FailedJoin } from "./actions.server.ts";
import type { GamePage } from "./game-page.server.ts";
import { ShareGame } from "./share-game.tsx";

type JoinBarProps = { game: GamePage; result: FailedJoin | undefined };

/**
 * Always visible: the price, the balance after it, and the one button. On phones above the bottom
 * bar, which only players have; on wide screens beside the page. The negative scroll margins stop a
 * focused button in it from scrolling the page.
 */
export function JoinBar({ game, result }: JoinBarProps) {
  // The failed form may have lost a race against another one.
  const message = game.isIn && !result?.reason ? undefined : result?.formError;
  const hasPlans = !!result?.plans && !("failure" in result.plans);
  // With too few credits the plan dialog says so.
  const isToast = useIsLater(result) && !hasPlans;
  useEffect(() => {
    if (message && isToast) toast({ title: "Booking Error", description: message, tone: "danger" });
  }, [result, message, isToast]);
  const hydrated = useHydrated();
  const isTooLate = result !== undefined && (game.spots === 0 || game.hasStarted);
  const box = useKeptFocus<HTMLDivElement>(game.isIn || isTooLate);
  return (
    <div
      ref={box}
      id="join"
      data-bar
      tabIndex={-1}
      className={`sticky z-20 outline-none not-short:max-lg:-scroll-mb-48 not-short:max-lg:**:-scroll-mb-48 mt-8 short:static border-t border-line bg-surface px-4 pt-3 max-md:-mb-12 md:bottom-4 md:rounded-card md:border-0 md:pb-3 md:shadow-card lg:static lg:mt-6 ${game.isSignedIn ? "bottom-[calc(4rem+env(safe-area-inset-bottom))] pb-3" : "bottom-0 pb-safe"}`}
    >
      {message && !isToast && (
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- without JavaScript the result is a new page: it begins here, or at its plans
        <div tabIndex={-1} autoFocus={!hydrated && !hasPlans} className="mb-3 outline-none">
          <Notice tone="danger" title="Booking Error">
            {message}
            {hasPlans && (
              <p className="mt-2">
                <DialogTrigger dialog="plans">Buy credits</DialogTrigger>
              </p>
            )}
          </Notice>
        </div>
      )}
      <div className="flex min-h-13 items-center justify-between gap-4 max-[24rem]:flex-wrap">
        <State game={game} />
      </div>
    </div>
  );
}

function State({ game }: { game: GamePage }) {
  // Refunds are shown under My Games.
  if (game.isCalledOff) {
    return <Closed text="This game was cancelled." link={game.wasIn && MY_GAMES} />;
  }
  if (game.isDraft) return <Closed text="This game is a draft." />;
  // A booked player may not have come, so this does not say "played".
  if (game.isOver && game.isIn) return <Closed text="You were in this game." link={MY_GAMES} />;
  if (game.isOver) return <Closed text="This game is over." link={FIND_A_GAME} />;
  if (game.isIn) return <Attending game={game} />;
  if (game.hasStarted) return <Closed text="This game has started." />;
  if (game.spots === 0) {
    return (
      <>
        <p className="text-sm text-muted">
          Every spot is taken.
          {game.isSignedIn && (
            <Link to="/events" className="link flex min-h-11 w-fit items-center font-semibold">
              Find another game
            </Link>
          )}
        </p>
        <Button type="button" disabled size="lg" className="whitespace-nowrap">
          GAME FULL
        </Button>
      </>
    );
  }
  return <JoinForm game={game} />;
}

const MY_GAMES = { to: "/bookings", label: "My Games" };
const FIND_A_GAME = { to: "/events", label: "Find a game" };

function Closed({ text, link }: { text: string; link?: typeof MY_GAMES | false }) {
  return (
    <>
      <p className="font-semibold">{text}</p>
      {link && (
        <ButtonLink to={link.to} className="whitespace-nowrap">
          {link.label}
        </ButtonLink>
      )}
    </>
  );
}

function Attending({ game }: { game: GamePage }) {
  return (
    <div className="grid grow gap-3">
      <div className="flex items-center justify-between gap-3">
        <Badge tone="lime" className="min-h-9">
          <Check className="size-5" /> You're attending this game!
        </Badge>
        {/* On phones the bottom bar has the same right below. */}
        <Link
          to="/bookings"
          className="link flex min-h-11 items-center font-semibold whitespace-nowrap max-md:hidden"
        >
          My Games
        </Link>
      </div>
      {!game.hasStarted && (
        <div className="grid grid-cols-2 gap-3">
          <a href={`/events/${game.id}.ics`} className={buttonClass({ className: "px-1!" })}>
            <Calendar className="size-5 max-[24rem]:hidden" /> Add to calendar
          </a>
          <ShareGame game={game} className="px-1!">
            <Share className="size-5 max-[24rem]:hidden" /> Invite friends
          </ShareGame>
        </div>
      )}
    </div>
  );
}

function JoinForm({ game }: { game: GamePage }) {
  const isJoining = useNavigation().formData?.get("intent") === "join";
  return (
    <>
      <p className="grow basis-0 leading-tight tabular-nums">
        <strong className="block text-lg">
          {game.price.isFree ? "Free" : `${game.price.credits} credits`}
        </strong>
        <span className="text-sm text-muted">
          {game.freeForNewcomers ? "Free if it's your first session" : game.balance}
        </span>
      </p>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="join" />
        <FormKey />
        {game.isSignedIn && <input type="hidden" name="priceShown" value={game.price.credits} />}
        <Button variant="primary" size="lg" pending={isJoining} pendingLabel="Joining…">
          Join game
        </Button>
      </Form>
    </>
  );
}
