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
import { moneySteps, payingSteps } from "#test/paying-steps.ts";
import { walletSteps } from "#test/wallet-steps.ts";
import { aGame, aPlayer, ben } from "#test/fixtures.ts";
import { somePacks } from "#test/payments.ts";
import { isLong } from "#test/long.ts";

/*
 * Any order of joins, waits, other terms, offers, promotions, places put first or removed, late and
 * early cancellations, decisions of go or no-go, spots held for friends and taken by one or two at
 * once, players who go to pay for a game, who pay in time, late, by a bank or not, players who are added, removed and suspended, forms that are sent twice, grants, edits,
 * moved and called-off games, withdrawals and their ends, refunds, deleted accounts that come back,
 * and passing hours: the database answers as the model does after every
 * step. The books are read as a whole, which takes longer than a step: after every run and, with
 * fewer runs, every tenth step. SEED repeats a run.
 */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
// In a database that grows, every run would take longer than the one before.
const [databases, numRuns, payingRuns] = isLong ? [40, 50, 15] : [1, 6, 4];
const seeds = Array.from({ length: databases }, (_, n) => seed + n);

describe.each(seeds)("the database does what the model does", (seed) => {
  const database = useDatabase();
  withoutTimeouts(database);
  let steps: Record<"games" | "payers", fc.Arbitrary<Step[]>>;
  beforeAll(async () => {
    await somePacks(database.db);
    steps = await someSteps();
  });

  async function someSteps() {
    const step = stepsOf(database, { stepsPerCheck: isLong ? Infinity : 10 });
    const { accounts } = testApp(database);
    const organiser = await ben(database.db);
    const players = bookingSteps(database, accounts, step);
    const roster = rosterSteps(database, step, organiser);
    const cash = cashSteps(database, step, organiser);
    const organisers = organiserSteps(database, step, organiser);
    const decisions = decisionSteps(database, step, organiser);
    const wallets = walletSteps(database, step);
    const friends = holdSteps(database, step);
    const payers = { ...payingSteps(database, step), ...moneySteps(database, step) };
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
      ...often(4, payers.holds, payers.pays),
      ...often(1, payers.begins, payers.ends, payers.books, payers.stops, payers.returns),
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
    // Spots that are held to be paid, passed on and paid late; half of the games are not full at first.
    const ofPayers = fc.oneof(
      ...often(16, payers.holds, payers.pays),
      ...often(10, lists.wants, lists.promotes),
      ...often(8, players.cancels),
      ...often(5, payers.begins, payers.ends, payers.passes),
      ...often(2, payers.books, payers.stops, payers.returns, players.passes, friends.holds),
      ...often(1, players.joins, times.moves, players.returns, organisers.suspends),
      ...often(1, decisions.plans, decisions.decides, organisers.callsOff, roster.adds),
    );
    // Long runs, most of full games: something happens on a list after a dozen steps.
    const [minLength, maxLength] = isLong ? [60, 60] : [25, 35];
    const runOf = (step: fc.Arbitrary<Step>) => fc.array(fc.noBias(step), { minLength, maxLength });
    const fillsIn = (isFull: fc.Arbitrary<boolean>, step: fc.Arbitrary<Step>) =>
      fc
        .tuple(isFull, runOf(step))
        .map(([isFull, steps]) => (isFull ? [...players.fills, ...steps] : steps));
    return { games: fillsIn(mostly, any), payers: fillsIn(fc.boolean(), ofPayers) };
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
    return { model, real: { players, games, rows, forms: [], withdrawals: new Map(), banks: [] } };
  }

  test.each([
    ["games", numRuns],
    ["payers", payingRuns],
  ] as const)(`in runs of %s, %i (SEED=${seed})`, async (kind, numRuns) => {
    // At noon two days before most games, in the evening, or in the morning of the first.
    const hours = fc.constantFrom(0, 8, 20);
    const property = fc.asyncProperty(hours, steps[kind], async (hour, commands) => {
      const setup = await start(hour);
      await fc.asyncModelRun(() => setup, commands);
      await expectRightBooks(database);
    });
    await fc.assert(property, { seed, numRuns, endOnFailure: true });
  });
});
