import { data } from "react-router";
import type { FieldErrors } from "#app/features/accounts/input.ts";
import type { Change } from "#app/features/bookings/emails.tsx";
import {
  describeChange,
  type EditGameResult,
  type Effect,
} from "#app/features/bookings/edit-game.server.ts";
import type { GamePlan } from "#app/features/games/plan.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { dayWords } from "./desk-words.ts";
import { planDifferences } from "./plan-differences.server.ts";
import { type FormValues, NO_VENUE, slotErrors } from "./plan-form.server.ts";

/** Whom an edit affects, in words. */
export interface EffectWords {
  /** What the confirming button sends. */
  key: string;
  title: string;
  rights: string;
  button: string;
  games: { id: string; title: string; changes: Change[] }[];
}

/** What the form shows after it was not saved; what was written in it stays. */
export interface EditRefusal {
  values: FormValues;
  errors?: FieldErrors;
  differences?: Difference[];
  /** The one that the form was compared with. */
  version?: number;
  effects?: EffectWords;
}

interface Asked {
  values: FormValues;
  plan: GamePlan;
  key: string;
}

/** A refused edit as the page answers it. */
export async function answerEdit(
  db: Db,
  answer: Extract<EditGameResult, { ok: false }>,
  { values, plan, key }: Asked,
) {
  const refuse = (status: number, more: Omit<EditRefusal, "values">) =>
    data<EditRefusal>({ values, ...more }, status);
  switch (answer.reason) {
    case "not-found":
      return refuse(404, {});
    case "closed":
    case "started":
      return refuse(409, {});
    case "changed": {
      const differences = await planDifferences(db, answer.current, plan);
      return refuse(409, { differences, version: answer.version });
    }
    case "unconfirmed":
      return refuse(200, { effects: await effectWords(db, answer.effects, key) });
    case "no-venue":
      return refuse(422, { errors: NO_VENUE });
    case "too-few-seats":
      return refuse(422, { errors: { maxPlayers: tooFewSeats(answer) } });
    case "cannot-shift":
      return refuse(422, { errors: { startTime: cannotShift(answer.date) } });
    default:
      return refuse(422, { errors: slotErrors(answer) });
  }
}

/** The toast of what was saved. */
export function editedMessage({ games, told }: Extract<EditGameResult, { ok: true }>) {
  const title = games > 1 ? `${games} games saved` : "Game saved";
  if (games === 0) return { title, description: "Nothing was changed." };
  return told > 0 ? { title, description: `${playersCount(told)} told by mail.` } : { title };
}

async function effectWords(db: Db, effects: Effect[], key: string): Promise<EffectWords> {
  const players = effects.reduce((sum, effect) => sum + effect.players, 0);
  const games = await Promise.all(
    effects.map(async ({ gameId, from, to, players: joined }) => ({
      id: gameId,
      title: `${dayWords(from.date)}, ${from.startTime}: ${playersCount(joined)}`,
      changes: await describeChange(db, from, to),
    })),
  );
  return {
    key,
    title: `This changes the game of ${playersCount(players)}`,
    rights:
      "Each gets a mail with what changes, and may cancel until kick-off for the full price. " +
      "Nothing is saved yet.",
    button: `Save and tell ${playersCount(players)}`,
    games,
  };
}

function tooFewSeats({ date, players }: { date: string; players: number }): string {
  return `${playersCount(players)} already in on ${dayWords(date)}: the game cannot be smaller.`;
}

function cannotShift(date: string): string {
  return `The game on ${dayWords(date)} has another length and cannot shift by as much.`;
}

const playersCount = (count: number) => `${count} ${count === 1 ? "player" : "players"}`;
