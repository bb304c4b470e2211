import fc from "fast-check";
import { beforeAll, describe, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { testApp } from "#test/app.ts";
import { bookingSteps, join } from "#test/booking-steps.ts";
import { readRows } from "#test/booking-rows.ts";
import {
  expectRightBooks,
  mostly,
  type Real,
  repeatStep,
  type Step,
  stepsOf,
} from "#test/model-steps.ts";
import { type Model, newModel } from "#test/model-state.ts";
import { holdSteps } from "#test/hold-steps.ts";
import { cashSteps, decisionSteps, organiserSteps, rosterSteps } from "#test/organiser-steps.ts";
import { entrySteps, timeSteps, waitlistSteps } from "#test/waitlist-steps.ts";
import { walletSteps } from "#test/wallet-steps.ts";
import { aGame, aPlayer, ben } from "#test/fixtures.ts";
import { somePacks } from "#test/payments.ts";
import { isLong } from "#test/long.ts";

/*
 * Any order of joins, waits, other terms, offers, promotions, places put first or removed, late and
 * early cancellations, decisions of go or no-go, spots held for friends and taken by one or two at
 * once, players who are added, removed and suspended, forms that are sent twice, grants, edits,
 * moved and called-off games, withdrawals and their ends, refunds, deleted accounts that come back,
 * and passing hours: the database answers as the model does, and the books are right, after every
 * step or, with LONG=1, which runs many more, after every run. SEED repeats a run.
 */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
// In a database that grows, every run would take longer than the one before.
const [databases, numRuns] = isLong ? [40, 50] : [1, 14];
const seeds = Array.from({ length: databases }, (_, n) => seed + n);

describe.each(seeds)("the database does what the model does", (seed) => {
  const database = useDatabase();
  withoutTimeouts(database);
  let steps: fc.Arbitrary<Step[]>;
  beforeAll(async () => {
    await somePacks(database.db);
    steps = await someSteps();
  });

  async function someSteps() {
    const step = stepsOf(database, { checksBooks: !isLong });
    const { accounts } = testApp(database);
    const organiser = await ben(database.db);
    const players = bookingSteps(database, accounts, step);
    const roster = rosterSteps(database, step, organiser);
    const cash = cashSteps(database, step, organiser);
    const organisers = organiserSteps(database, step, organiser);
    const decisions = decisionSteps(database, step, organiser);
    const wallets = walletSteps(database, step);
    const friends = holdSteps(database, step);
    const lists = waitlistSteps(database, step, (...wish) => join(database, ...wish));
    const places = entrySteps(database, step, organiser);
    const times = timeSteps(database, step);
    const often = (weight: number, ...steps: fc.Arbitrary<Step>[]) =>
      steps.map((arbitrary) => ({ weight, arbitrary }));
    const any = fc.oneof(
      ...often(24, lists.wants),
      ...often(16, players.cancels),
      ...often(14, lists.promotes),
      ...often(6, friends.holds, friends.brings),
      ...often(6, players.answers, repeatStep(database, step)),
      ...often(4, friends.takes, friends.races, friends.holdsLate),
      ...often(1, friends.givesBack),
      ...often(10, lists.asks, players.empties),
      ...often(4, decisions.decides),
      ...often(3, players.passes, roster.adds, roster.removes),
      ...often(2, decisions.insists, decisions.plans, players.edits, organisers.suspends),
      ...often(2, times.moves, lists.leaves, wallets.grants),
      ...often(2, places.changes, places.putsFirst),
      ...often(1, places.removes, times.ends),
      ...often(1, players.joins, lists.waits),
      ...often(1, cash.pays, cash.takesBack, organisers.callsOff, players.returns),
      ...often(1, wallets.withdraws, wallets.ends, wallets.refunds),
    );
    // Long runs, most of full games: something happens on a list after a dozen steps.
    const [minLength, maxLength] = isLong ? [60, 60] : [25, 35];
    return fc
      .tuple(mostly, fc.array(fc.noBias(any), { minLength, maxLength }))
      .map(([isFull, steps]) => (isFull ? [...players.fills, ...steps] : steps));
  }

  async function start(hour: number): Promise<{ model: Model; real: Real }> {
    const model = { ...newModel(), hour };
    const players = await Promise.all(
      model.players.map(({ cents }) => aPlayer(database.db, { credits: cents / 100 })),
    );
    const games = await Promise.all(
      model.games.map(({ startsIn, spots, isFree, minPlayers, decidesHours }) => {
        const minimum = { min_players: minPlayers, decides_hours: decidesHours };
        const wish = { startsIn, spots, is_first_session_free: isFree, ...minimum };
        return aGame(database.db, wish);
      }),
    );
    const rows = await readRows(database, { players, games });
    return { model, real: { players, games, rows, forms: [], withdrawals: new Map() } };
  }

  test(`in ${numRuns} runs (SEED=${seed})`, async () => {
    // At noon two days before most games, in the evening, or in the morning of the first.
    const hours = fc.constantFrom(0, 8, 20);
    const property = fc.asyncProperty(hours, steps, async (hour, commands) => {
      const setup = await start(hour);
      await fc.asyncModelRun(() => setup, commands);
      if (isLong) await expectRightBooks(database);
    });
    await fc.assert(property, { seed, numRuns, endOnFailure: true });
  });
});
