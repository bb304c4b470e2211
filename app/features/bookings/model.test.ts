import fc from "fast-check";
import { beforeAll, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { testApp } from "#test/app.ts";
import {
  expectDeletion,
  expectedCallOff,
  expectedCancel,
  expectedEnd,
  expectedJoin,
  expectRefund,
  signUpAgain,
} from "#test/booking-model.ts";
import { agree, expectRightBooks, type Real, type Step, stepsOf } from "#test/model-steps.ts";
import { liveIn, type Model, type ModelWithdrawal, newModel, receive } from "#test/model-state.ts";
import { heldIn } from "#test/waitlist-model.ts";
import { waitlistSteps } from "#test/waitlist-steps.ts";
import { aBuyer, reject, takeBack, withdraw } from "#test/withdrawals.ts";
import { aGame, aPlayer, hoursLater } from "#test/fixtures.ts";
import { somePacks, tell } from "#test/payments.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "./cancel-game.server.ts";
import { joinGame } from "./join-game.server.ts";
import { isLong } from "#test/long.ts";

/*
 * Any order of joins, waits, offers, promotions, late and early cancellations, grants, capacity edits,
 * moved and called-off games, withdrawals and their ends, refunds, deleted accounts that come back,
 * and passing hours: the database answers as the model does, and the books are right, after every
 * step or, with LONG=1, which runs many more, after every run. SEED repeats a run.
 */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const database = useDatabase();
withoutTimeouts(database);
let accounts: Accounts;
beforeAll(async () => {
  await somePacks(database.db);
  ({ accounts } = testApp(database));
});

const step = stepsOf(database, { checksBooks: !isLong });

const player = fc.nat({ max: 5 });
const game = fc.nat({ max: 3 });
const nth = fc.nat({ max: 20 });
const mostly = fc.constantFrom(true, true, true, false);

/** Tries to join, and the model knows the result. */
async function join(
  model: Model,
  real: Real,
  { player: p, game: g, takesOffer = false }: Parameters<typeof expectedJoin>[1],
): Promise<string> {
  const ids = { gameId: real.games[g]!, playerId: real.players[p]! };
  const expected = expectedJoin(model, { player: p, game: g, takesOffer });
  const now = hoursLater(model.hour);
  const result = await joinGame(database.db, database.jobs, { ...ids, takesOffer, now });
  agree(result.ok ? "joined" : result.reason, expected);
  const booking = model.bookings.at(-1);
  if (result.ok && booking) booking.id = result.bookingId;
  return expected;
}

const joins = fc.tuple(player, game, fc.boolean()).map(([p, g, takesOffer]) =>
  step(`player ${p} joins game ${g}${takesOffer ? ", as offered" : ""}`, async (model, real) => {
    await join(model, real, { player: p, game: g, takesOffer });
  }),
);
const answers = nth.map((n) =>
  step(`offer ${n} is taken`, async (model, real) => {
    const offered = model.places.filter(({ status }) => status === "Offered");
    const place = offered[n % offered.length];
    if (place) await join(model, real, { ...place, takesOffer: true });
  }),
);
const cancels = fc.tuple(nth, player, mostly).map(([n, p, isOwn]) =>
  step(`booking ${n} is cancelled${isOwn ? "" : ` by player ${p}`}`, async (model, real) => {
    const live = model.bookings.filter((one) => one.status === "Paid" && one.player >= 0);
    const all = isOwn ? live : model.bookings;
    const booking = all[n % Math.max(1, all.length)];
    if (!booking) return;
    const who = isOwn ? booking.player : p;
    const expected = expectedCancel(model, booking, who);
    const result = await cancelBooking(database.db, database.jobs, {
      bookingId: booking.id,
      playerId: real.players[who]!,
      now: hoursLater(model.hour),
    });
    agree(result.ok ? result.creditsBackCents : result.reason, expected);
  }),
);
const grants = fc.tuple(player, fc.integer({ min: -2_500, max: 2_500 })).map(([p, cents]) =>
  step(`player ${p} is granted ${cents}`, async (model, real) => {
    if (cents === 0) return;
    const wallet = model.players[p]!;
    const suffices = wallet.cents + cents >= 0;
    if (cents > 0) receive(model, p, cents);
    else if (suffices) wallet.cents += cents;
    const grant = { userId: real.players[p]!, amountCents: cents, reason: "", actor: "command" };
    const { ok } = await correctBalance(database.db, { ...grant, key: crypto.randomUUID() });
    agree(ok, suffices);
  }),
);
const edits = fc.tuple(game, fc.integer({ min: 1, max: 4 })).map(([g, spots]) =>
  step(`game ${g} gets ${spots} seats`, async (model, real) => {
    const seats = liveIn(model, g).length;
    const edit = database.pool.query("update games set max_players = $2 where id = $1", [
      real.games[g],
      spots,
    ]);
    const result = await edit.then(
      () => "edited",
      (error: { constraint?: string }) => error.constraint,
    );
    const held = heldIn(model, g);
    const expected = seats > spots ? "seats" : seats + held > spots ? "spots" : null;
    agree(result, expected ? `games_${expected}_within_capacity` : "edited");
    if (!expected) model.games[g]!.spots = spots;
  }),
);
const callsOff = game.map((g) =>
  step(`game ${g} is called off`, async (model, real) => {
    const expected = expectedCallOff(model, g);
    const now = hoursLater(model.hour);
    const count = await cancelGame(database.db, database.jobs, { gameId: real.games[g]!, now });
    agree(count, expected);
  }),
);
const withdraws = player.map((p) =>
  step(`player ${p} buys and withdraws`, async (model, real) => {
    if (model.players[p]!.debtCents > 0) return;
    const bought = await aBuyer(database, real.players[p]);
    const stated = await withdraw(database, bought);
    agree(stated !== null, true);
    const withdrawal: ModelWithdrawal = { player: p, state: "waiting", isRefunded: false };
    model.withdrawals.push(withdrawal);
    real.withdrawals.set(withdrawal, { ...stated!, refunded: bought.pack.refunded(999) });
  }),
);
const oneOf = (model: Model, n: number) => model.withdrawals[n % model.withdrawals.length];
const ends = fc.tuple(nth, fc.constantFrom("refused", "taken_back")).map(([n, how]) =>
  step(`withdrawal ${n} is ${how}`, async (model, real) => {
    const withdrawal = oneOf(model, n);
    if (!withdrawal) return;
    const expected = expectedEnd(model, withdrawal, how);
    const end = how === "refused" ? reject : takeBack;
    const result = await end(database, real.withdrawals.get(withdrawal)!);
    agree(result.ok, expected !== "too-late");
  }),
);
const refunds = nth.map((n) =>
  step(`withdrawal ${n} is refunded`, async (model, real) => {
    const withdrawal = oneOf(model, n);
    if (!withdrawal) return;
    const outcome = withdrawal.isRefunded ? "repeated" : "applied";
    expectRefund(model, withdrawal);
    agree(await tell(database.db, real.withdrawals.get(withdrawal)!.refunded), [outcome]);
  }),
);
const returns = player.map((p) =>
  step(`player ${p} deletes the account and signs up again`, async (model, real) => {
    expectDeletion(model, p);
    const userId = real.players[p]!;
    real.players[p] = await signUpAgain({ ...database, accounts }, userId, hoursLater(model.hour));
  }),
);
const passes = fc.constantFrom(0.25, 0.5, 0.5, 1, 1, 2, 3, 5, 10).map((hours) =>
  step(`${hours} h pass`, async (model) => {
    model.hour += hours;
  }),
);
const { waits, wants, leaves, moves, promotes } = waitlistSteps(database, step, {
  ...{ player, game, join },
});

async function start(): Promise<{ model: Model; real: Real }> {
  const model = newModel();
  const players = await Promise.all(
    model.players.map(({ cents }) => aPlayer(database.db, { credits: cents / 100 })),
  );
  const games = await Promise.all(
    model.games.map(({ startsIn, spots, isFree }) =>
      aGame(database.db, { startsIn, spots, is_first_session_free: isFree }),
    ),
  );
  return { model, real: { players, games, withdrawals: new Map() } };
}

test(
  `the database does what the model does (SEED=${seed})`,
  { timeout: isLong ? 7_200_000 : 600_000 },
  async () => {
    const often = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
    const any = fc.oneof(
      ...[often(20, wants), often(12, cancels), often(12, promotes), often(6, answers)],
      ...[often(3, passes), often(2, edits), often(2, grants)],
      ...[joins, waits, leaves, moves, callsOff, returns].map((step) => often(1, step)),
      ...[withdraws, ends, refunds].map((step) => often(1, step)),
    );
    // Long runs only: a list takes a dozen steps until something happens on it.
    const [minLength, maxLength] = isLong ? [40, 60] : [25, 35];
    const steps = fc.array(fc.noBias(any), { minLength, maxLength });
    // At noon two days before most games, in the evening, or in the morning of the first.
    const hours = fc.constantFrom(0, 8, 20);
    const property = fc.asyncProperty(hours, steps, async (hour, commands) => {
      const { model, real } = await start();
      model.hour = hour;
      await fc.asyncModelRun(() => ({ model, real }), commands);
      if (isLong) await expectRightBooks(database);
    });
    await fc.assert(property, { seed, numRuns: isLong ? 2_000 : 20, endOnFailure: true });
  },
);
