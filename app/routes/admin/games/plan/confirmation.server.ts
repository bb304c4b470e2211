import type { Effect } from "#app/features/organise/edit-game.server.ts";
import {
  type Warning,
  FAR_DAYS,
  LONG_MINUTES,
  type OtherGame,
} from "#app/features/games/warnings.server.ts";
import type { Planned } from "#app/features/games/warnings.server.ts";
import { playersText } from "#app/features/games/rules.ts";
import type { Slot } from "#app/features/games/time-slots.ts";
import type { Db } from "#app/platform/db.server.ts";
import { formatDay, formatTimes } from "#app/routes/admin/games/game-view.server.ts";
import { describeChanges } from "#app/features/games/describe-change.server.ts";

/** A question; the button that answers it sends `key`. */
export interface ConfirmationView {
  key: string;
  askedAt?: string;
  title: string;
  button: string;
  warnings: WarningView[];
  /** Players of a game that changes, and what they may do. */
  rights?: string;
  games?: {
    id: string;
    title: string;
    changes: Awaited<ReturnType<typeof describeChanges>>[number];
  }[];
  others?: string | undefined;
}

type WarningView = ReturnType<typeof toWarningView>;

export function toConfirmation(warnings: Warning[], key: string, button: string): ConfirmationView {
  return { key, title: "Please check first", button, warnings: warnings.map(toWarningView) };
}

function toWarningView(warning: Warning): { text: string; games: { id: string; label: string }[] } {
  switch (warning.about) {
    case "overlap":
      return {
        text: `The venue is taken on ${slotText(warning.game)} by:`,
        games: warning.others.map(toLink),
      };
    case "long":
      return { text: longText(warning), games: [] };
    case "far":
      return { text: farText(warning), games: [] };
  }
}

function toLink({ id, title, status, ...slot }: OtherGame) {
  const draft = status === "Draft" ? ", a draft" : "";
  return { id, label: `${title}, ${slotText(slot)}${draft}` };
}

const slotText = (slot: Slot) => `${formatDay(slot.date)}, ${formatTimes(slot)}`;

function longText({ dates, minutes }: Extract<Warning, { about: "long" }>): string {
  const rest = minutes % 60;
  const length = `${Math.floor(minutes / 60)} hours${rest > 0 ? ` ${rest} minutes` : ""}`;
  const [day = ""] = dates;
  if (dates.length === 1) return `The game on ${formatDay(day)} lasts ${length}. Is the end right?`;
  return `${dates.length} games last longer than ${LONG_MINUTES / 60} hours, up to ${length}.`;
}

function farText({ dates }: Extract<Warning, { about: "far" }>): string {
  const weeks = `more than ${FAR_DAYS / 7} weeks ahead`;
  const last = formatDay(dates.toSorted().at(-1)!);
  if (dates.length === 1) return `The game is on ${last}, ${weeks}. Is the date right?`;
  return `${dates.length} games are ${weeks}, the last one on ${last}.`;
}

interface Affected {
  warnings: Warning[];
  effects: Effect[];
  games: Planned[];
  key: string;
  joined: string[];
  /** Something else was confirmed before. */
  isAgain: boolean;
  now: Date;
}

export async function toEditConfirmation(db: Db, affected: Affected): Promise<ConfirmationView> {
  const { warnings, effects, games, key, now } = affected;
  if (effects.length === 0) return toConfirmation(warnings, key, "Save anyway");
  const players = effects.reduce((sum, effect) => sum + effect.players, 0);
  const waiting = effects.reduce((sum, effect) => sum + effect.waiting, 0);
  const ids = new Set(effects.map(({ gameId }) => gameId));
  const rest = games.filter(({ id }) => !ids.has(id)).map(({ plan }) => formatDay(plan.date));
  const changes = await describeChanges(db, effects);
  const views = effects.map(({ gameId, from, ...who }, index) => ({
    id: gameId,
    title: `${formatDay(from.date)}, ${from.startTime}: ${whoText(who)}`,
    changes: changes[index]!,
  }));
  return {
    ...{ key, askedAt: now.toISOString(), warnings: warnings.map(toWarningView) },
    rights: rightsText(players, waiting, affected),
    title: titleOf(games.length, players, waiting),
    button: players > 0 ? `Save and notify ${playersText(players)}` : "Save and ask them again",
    games: views,
    others: rest.length > 0 ? `Also, with nobody in: ${rest.join("; ")}.` : undefined,
  };
}

function titleOf(games: number, players: number, waiting: number): string {
  const whose = players > 0 ? playersText(players) : `${waiting} on the waitlist`;
  return games === 1
    ? `This changes the game of ${whose}`
    : `This changes ${games} games, of ${whose}`;
}

function whoText({ players, waiting }: Pick<Effect, "players" | "waiting">): string {
  const who = [players > 0 && playersText(players), waiting > 0 && `${waiting} waiting`];
  return who.filter(Boolean).join(", ");
}

type Again = Pick<Affected, "isAgain" | "joined">;

function rightsText(players: number, waiting: number, { isAgain, joined }: Again): string {
  const texts = [
    isAgain ? "Nothing is saved yet: this is not what you confirmed." : "Nothing is saved yet.",
    joined.length > 0 && joinedText(joined),
    players > 0 &&
      "Each is notified of what changes, unless they have switched that off, and may cancel until kick-off for a full refund. " +
        "A free session that is cancelled stays used.",
    waiting > 0 && `${waiting} on the waitlist must agree again before a spot is theirs.`,
  ];
  return texts.filter(Boolean).join(" ");
}

const NAMED = 3;
const LIST = new Intl.ListFormat("en", { type: "conjunction" });

/** "Aino Virtanen, Otso Harju, and 3 more have joined since." */
function joinedText(names: string[]): string {
  const more = names.length - NAMED;
  const shown = more > 1 ? [...names.slice(0, NAMED), `${more} more`] : names;
  return `${LIST.format(shown)} ${names.length === 1 ? "has" : "have"} joined since.`;
}
