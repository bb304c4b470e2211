import { Link } from "react-router";
import { FormKey } from "#app/forms/form-key.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { OpenGame, PaidGame } from "./paid-game.server.ts";

export function PaidGameCard({ game }: { game: PaidGame }) {
  const message = MESSAGES[game.state];
  return (
    <section
      aria-label="The game you bought credits for"
      className="grid w-full gap-4 rounded-card bg-surface p-5 text-left shadow-card"
    >
      {game.state !== "closed" && <GameFacts game={game} />}
      {game.state !== "closed" && game.lost && <p className="font-semibold">{game.lost}</p>}
      {message && <p>{message}</p>}
      {(game.state === "open" || game.state === "offered") && <JoinForm game={game} />}
      {game.state !== "closed" && LEADS_BACK.includes(game.state) && (
        <ButtonLink to={game.path} variant="primary" size="lg" wide>
          Go to the game
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

const LEADS_BACK: PaidGame["state"][] = ["in", "short", "waiting", "full"];
const CLOSED: PaidGame["state"][] = ["full", "started", "closed"];

const MESSAGES: Record<PaidGame["state"], string | null> = {
  open: null,
  in: "You're in this game.",
  short: "This game needs more credits than you have now.",
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

function JoinForm({ game }: { game: OpenGame }) {
  const isOffered = game.state === "offered";
  return (
    <IntentForm
      intent={isOffered ? "take-offer" : "join"}
      action={game.path}
      hidden={{ overlap: "ask", hold: game.hold, priceShown: game.priceShown }}
    >
      <FormKey />
      <Shown facts={game.shown} />
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
        <strong className="text-lg">{game.price}</strong>
        <span className="text-sm text-muted">{game.balanceAfter}</span>
      </p>
      <SubmitButton variant="primary" size="lg" wide pendingLabel="Joining…">
        {isOffered ? "Take it" : "Join game"}
      </SubmitButton>
    </IntentForm>
  );
}
