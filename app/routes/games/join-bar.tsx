import { useEffect } from "react";
import { Form, Link, useNavigation } from "react-router";
import { FormKey } from "#app/forms/form-key.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { DialogTrigger } from "#app/ui/dialog.tsx";
import { Check } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useKeptFocus } from "#app/ui/page-change.tsx";
import { toast } from "#app/ui/toast.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { FailedJoin } from "./actions.server.ts";
import type { GamePage } from "./game-page.server.ts";

type JoinBarProps = { game: GamePage; result: FailedJoin | undefined };

/**
 * Always visible: the price, the balance after it, and the one button. On phones above the bottom
 * bar, which only players have; on wide screens beside the page. The negative scroll margins stop a
 * focused button in it from scrolling the page.
 */
export function JoinBar({ game, result }: JoinBarProps) {
  // Another form may have been faster than the one that failed.
  const message = game.isIn && !result?.reason ? undefined : result?.formError;
  const hasPlans = !!result?.plans && !("failure" in result.plans);
  useEffect(() => {
    // Too few credits open the plan dialog, which says so itself.
    if (!message || hasPlans) return;
    toast({ title: "Booking Error", description: message, tone: "danger" });
  }, [result, message, hasPlans]);
  const hydrated = useHydrated();
  const box = useKeptFocus<HTMLDivElement>(game.isIn);
  return (
    <div
      ref={box}
      id="join"
      tabIndex={-1}
      className={`sticky z-20 outline-none not-short:max-lg:-scroll-mb-40 not-short:max-lg:**:-scroll-mb-40 mt-8 short:static border-t border-line bg-surface px-4 pt-3 max-md:-mb-12 md:bottom-4 md:rounded-card md:border-0 md:pb-3 md:shadow-card lg:top-22 lg:col-start-2 lg:row-start-2 lg:row-end-4 lg:self-start lg:bottom-auto ${game.wallet ? "bottom-[calc(4rem+env(safe-area-inset-bottom))] pb-3" : "bottom-0 pb-safe"}`}
    >
      {message && (
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
  if (game.isCalledOff) return <CalledOff game={game} />;
  if (game.isDraft) return <p className="font-semibold">This game is a draft.</p>;
  if (game.isOver) return <Over game={game} />;
  if (game.isIn) return <Attending />;
  if (game.hasStarted) return <p className="font-semibold">This game has started.</p>;
  if (game.spots === 0) {
    return (
      <>
        <p className="text-sm text-muted">
          Every spot is taken.
          {game.wallet && (
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

/** A refund is listed among the player's games. */
function CalledOff({ game }: { game: GamePage }) {
  return (
    <>
      <p className="font-semibold">This game was cancelled.</p>
      {game.wasIn && (
        <ButtonLink to="/bookings" className="whitespace-nowrap">
          My Games
        </ButtonLink>
      )}
    </>
  );
}

/** Somebody who was in it may have stayed away: the page does not claim that they played. */
function Over({ game }: { game: GamePage }) {
  return (
    <>
      <p className="font-semibold">{game.isIn ? "You were in this game." : "This game is over."}</p>
      <ButtonLink to={game.isIn ? "/bookings" : "/events"} className="whitespace-nowrap">
        {game.isIn ? "My Games" : "Find a game"}
      </ButtonLink>
    </>
  );
}

function Attending() {
  return (
    <>
      <Badge tone="lime" className="min-h-9 max-md:-ml-1">
        <Check className="size-5" /> You're attending this game!
      </Badge>
      {/* On phones the bottom bar has the same right below. */}
      <ButtonLink to="/bookings" className="shrink-0 whitespace-nowrap max-md:hidden">
        My Games
      </ButtonLink>
    </>
  );
}

function JoinForm({ game }: { game: GamePage }) {
  const isJoining = useNavigation().formData?.get("intent") === "join";
  return (
    <>
      <p className="leading-tight tabular-nums">
        <strong className="block text-lg">
          {game.price.isFree ? "Free" : `${game.price.credits} credits`}
        </strong>
        <span className="text-sm text-muted">
          {game.freeForNewcomers ? "Free if it's your first session" : game.wallet?.text}
        </span>
      </p>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="join" />
        <FormKey />
        {game.wallet && <input type="hidden" name="priceShown" value={game.price.credits} />}
        <Button variant="primary" size="lg" pending={isJoining} pendingLabel="Joining…">
          Join game
        </Button>
      </Form>
    </>
  );
}
