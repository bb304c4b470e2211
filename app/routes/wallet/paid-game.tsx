import { Link } from "react-router";
import { ContinuePayment } from "#app/routes/credits/continue-payment.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import type { OpenGame, PaidGame } from "./paid-game.server.ts";

/** `isSaid`: what has come of it stands above. */
export function PaidGameCard({ game, isSaid }: { game: PaidGame; isSaid: boolean }) {
  const short = game.state === "short" ? game.short : null;
  const message = !isSaid && (short?.text ?? MESSAGES[game.state]);
  // The same as after any other join: what to know of it, once.
  const isJoined = isSaid && game.state === "in";
  const back = game.state !== "closed" && LEADS_BACK[game.state];
  // Where the player is in, the ticket above says them.
  const hasFacts = game.state !== "closed" && game.state !== "in";
  return (
    <section
      aria-label="The game you bought credits for"
      className={classNames("grid w-full gap-4 text-left", hasFacts && "border-t border-line pt-4")}
    >
      {hasFacts && <GameFacts game={game} />}
      {game.state !== "closed" && game.lost && <p className="font-semibold">{game.lost}</p>}
      {message && <p className="tabular-nums">{message}</p>}
      {short?.begun && (
        <ContinuePayment begun={short.begun} size="lg">
          {`Pay ${short.begun.price} and join`}
        </ContinuePayment>
      )}
      {game.state !== "closed" && back && (
        <ButtonLink
          to={isJoined ? `${game.path}/joined` : game.path}
          {...(short?.begun ? {} : { variant: "primary", size: "lg" })}
          wide
        >
          {back}
        </ButtonLink>
      )}
      {CLOSED.includes(game.state) && (
        <ButtonLink
          to="/events"
          variant={game.state === "full" ? "secondary" : "primary"}
          size="lg"
          wide
        >
          Find another game
        </ButtonLink>
      )}
    </section>
  );
}

const GO = "Go to the game";
const LEADS_BACK: Record<OpenGame["state"], string | null> = {
  ...{ in: GO, short: GO, waiting: GO, open: GO, offered: GO },
  full: "Go to the waitlist",
  started: null,
};
const CLOSED: PaidGame["state"][] = ["full", "started", "closed"];

const MESSAGES: Record<PaidGame["state"], string | null> = {
  open: "You can join this game now.",
  in: "You're in this game.",
  short: null,
  offered: "A spot is held for you.",
  waiting: "You are on the waitlist for this game. Your credits stay in your wallet until then.",
  full: "Sorry, this game is full now. You can join its waitlist. Your credits stay in your wallet.",
  started: "This game has started in the meantime. Your credits stay in your wallet.",
  closed: "This game can't be joined any more. Your credits stay in your wallet.",
};

function GameFacts({ game }: { game: OpenGame }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div>
        <h2 className="-my-2 text-lg wrap-anywhere">
          <Link to={game.path} className="inline-flex min-h-11 items-center hover:underline">
            {game.venue}
          </Link>
        </h2>
        <p className="tabular-nums">{game.when}</p>
      </div>
      <Badge tone={game.badge.tone}>{game.badge.text}</Badge>
    </div>
  );
}
