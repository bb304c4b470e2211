import { useEffect, useRef, useState } from "react";
import { Form, Link } from "react-router";
import { Part } from "#app/routes/admin/page.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { AdminGamePage } from "#app/routes/admin/games/game-view.server.ts";

/** All games of the series, including this one; ticked ones can be cancelled together. */
export function SeriesGames({ game }: { game: AdminGamePage }) {
  const { id: current, series } = game;
  if (series.length === 0) return null;
  const canCancel = series.some(({ canChange }) => canChange);
  const { form, isNothingTicked, recount } = useTicks();
  return (
    <Part title="Series" id="series">
      <Form
        ref={form}
        action={`/admin/games/${current}/cancel`}
        onChange={recount}
        className="grid gap-3"
      >
        <ol className="overflow-hidden rounded-card bg-surface shadow-card">
          {series.map((each) => (
            <SeriesGame
              key={each.id}
              game={each}
              isCurrent={each.id === current}
              hasTicks={canCancel}
            />
          ))}
        </ol>
        {canCancel && (
          <p id="tick-first" className="text-sm text-muted">
            Ticked games are cancelled together, after one question.
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          {canCancel && (
            <Button
              name="scope"
              value="ticked"
              disabled={isNothingTicked}
              aria-describedby="tick-first"
            >
              Cancel ticked games
            </Button>
          )}
          <ButtonLink to={`/admin/games/new?more=${current}`}>More weeks</ButtonLink>
          {game.canCancelFollowing && (
            <ButtonLink to={`/admin/games/${current}/cancel?scope=following`}>
              {game.canCancel ? "Cancel this and following games" : "Cancel following games"}
            </ButtonLink>
          )}
        </div>
      </Form>
    </Part>
  );
}

/** Known only to scripts; the browser may have kept ticks, and a game that was cancelled has none. */
function useTicks() {
  const form = useRef<HTMLFormElement>(null);
  const [isNothingTicked, setNothingTicked] = useState(false);
  const recount = () => setNothingTicked(!form.current?.querySelector(":checked"));
  useEffect(recount);
  return { form, isNothingTicked, recount };
}

interface SeriesGameProps {
  game: AdminGamePage["series"][number];
  isCurrent: boolean;
  /** Some games have a box to tick, and the others its space. */
  hasTicks: boolean;
}

function SeriesGame({ game, isCurrent, hasTicks }: SeriesGameProps) {
  const { id, day, seats, status, statusTone, canChange } = game;
  return (
    <li className="flex items-center border-t border-line tabular-nums first:border-t-0">
      {canChange ? (
        <label className="flex size-12 shrink-0 items-center justify-center">
          <input type="checkbox" name="game" value={id} className="size-5" />
          <span className="sr-only">{`Tick ${day}`}</span>
        </label>
      ) : (
        hasTicks && <span className="size-12 shrink-0" />
      )}
      <Link
        to={`/admin/games/${id}`}
        aria-current={isCurrent ? "page" : undefined}
        className={rowClass + (hasTicks ? "pl-1" : "pl-4")}
      >
        <span className="flex grow flex-wrap items-center justify-between gap-x-4">
          {day}
          {!(canChange && status === "Published") && <Badge tone={statusTone}>{status}</Badge>}
        </span>
        <span className="text-muted">{seats}</span>
      </Link>
      {canChange ? (
        <Link to={`/admin/games/${id}/edit`} className={editClass}>
          Edit<span className="sr-only"> {day}</span>
        </Link>
      ) : (
        hasTicks && <span className={editClass} />
      )}
    </li>
  );
}

const editClass = "link flex min-h-12 w-16 shrink-0 items-center justify-center";
const rowClass =
  "flex min-h-12 grow items-center gap-x-4 py-1 pr-4 hover:bg-sunken " +
  "focus-visible:-outline-offset-3 aria-[current=page]:font-bold ";
