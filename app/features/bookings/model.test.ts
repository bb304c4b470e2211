import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { testApp } from "#test/app.ts";
import {
  signUpAgain,
  expectDeletion,
  expectedCancel,
  expectedEnd,
  expectedJoin,
  expectRefund,
  type Model,
  type ModelWithdrawal,
  newModel,
  receive,
} from "#test/booking-model.ts";
import { aBuyer, reject, type Stated, takeBack, withdraw } from "#test/withdrawals.ts";
import { aGame, aPlayer, hoursLater } from "#test/fixtures.ts";
import { somePacks, tell } from "#test/payments.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "./cancel-game.server.ts";
import { checkBooks } from "./check-books.server.ts";
import { joinGame } from "./join-game.server.ts";
import { isLong } from "#test/long.ts";

/*
 * Any order of joins, cancellations, grants, capacity edits, called-off games, withdrawals and their
 * ends, refunds, deleted accounts that come back, and passing hours: the database answers as the model does, and after every step the books are right. LONG=1 runs
 * many more; SEED repeats a run.
 */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const database = useDatabase();
withoutTimeouts(database);
let accounts: Accounts;
beforeAll(async () => {
  await somePacks(database.db);
  ({ accounts } = testApp(database));
});

interface Real {
  players: string[];
  games: string[];
  /** As the model has them. */
  withdrawals: Map<ModelWithdrawal, Stated & { refunded: SentEvent }>;
}
type Step = fc.AsyncCommand<Model, Real>;

/** A step: what the model expects, what the database does, and that they agree. */
function step(name: string, action: (model: Model, real: Real) => Promise<void>): Step {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await action(model, real);
      await compare(model, real);
    },
  };
}

const player = fc.nat({ max: 3 });
const game = fc.nat({ max: 2 });

const joins = fc.tuple(player, game).map(([p, g]) =>
  step(`player ${p} joins game ${g}`, async (model, real) => {
    const ids = { gameId: real.games[g]!, playerId: real.players[p]! };
    const expected = expectedJoin(model, p, g);
    const result = await joinGame(database.db, database.jobs, {
      ...ids,
      now: hoursLater(model.hour),
    });
    agree(result.ok ? "joined" : result.reason, expected);
    const booking = model.bookings.at(-1);
    if (result.ok && booking) booking.id = result.bookingId;
  }),
);
const cancels = fc.tuple(fc.nat({ max: 40 }), player).map(([b, p]) =>
  step(`player ${p} cancels booking ${b}`, async (model, real) => {
    const booking = model.bookings[b % Math.max(1, model.bookings.length)];
    if (!booking) return;
    const expected = expectedCancel(model, booking, p);
    const result = await cancelBooking(database.db, database.jobs, {
      bookingId: booking.id,
      playerId: real.players[p]!,
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
    const seats = model.bookings.filter((b) => b.game === g && b.status === "Paid").length;
    const edit = database.pool.query("update games set max_players = $2 where id = $1", [
      real.games[g],
      spots,
    ]);
    const result = await edit.then(
      () => "edited",
      (error: { constraint?: string }) => error.constraint,
    );
    agree(result, seats > spots ? "games_seats_within_capacity" : "edited");
    if (seats <= spots) model.games[g]!.spots = spots;
  }),
);
const callsOff = game.map((g) =>
  step(`game ${g} is called off`, async (model, real) => {
    const live = model.bookings.filter((b) => b.game === g && b.status === "Paid");
    const isOpen = model.games[g]!.isOpen;
    for (const booking of live) {
      receive(model, booking.player, booking.cents);
      const wallet = model.players[booking.player];
      if (booking.isFree && wallet) wallet.hasUsedFree = false;
      booking.status = booking.cents > 0 ? "Refunded" : "Cancelled";
    }
    model.games[g]!.isOpen = false;
    const now = hoursLater(model.hour);
    const count = await cancelGame(database.db, database.jobs, { gameId: real.games[g]!, now });
    agree(count, isOpen ? live.length : null);
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
const nth = fc.nat({ max: 20 });
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
const waits = fc.integer({ min: 1, max: 15 }).map((hours) =>
  step(`${hours} h pass`, async (model) => {
    model.hour += hours;
  }),
);

function agree(result: unknown, expected: unknown) {
  expect(result).toEqual(expected);
}

async function compare(model: Model, real: Real) {
  const { differences } = await checkBooks(database.db);
  expect(differences).toEqual([]);
  const { rows } = await database.pool.query<{ id: string; metric: number }>(
    `select user_id as id, (wallet_balance_eur * 100)::int as metric from profiles
     where user_id = any($1)
     union all select id, seats_taken from games where id = any($2)`,
    [real.players, real.games],
  );
  const { rows: debts } = await database.pool.query<{ cents: number }>(
    `select (wallet_debt_eur * 100)::int as cents from unnest($1::uuid[]) with ordinality p (id, n)
     join profiles on user_id = p.id order by n`,
    [real.players],
  );
  expect(debts.map(({ cents }) => cents)).toEqual(model.players.map((p) => p.debtCents));
  const metrics = new Map(rows.map(({ id, metric }) => [id, metric]));
  const live = (g: number) =>
    model.bookings.filter((b) => b.game === g && b.status === "Paid").length;
  expect(real.players.map((id) => metrics.get(id))).toEqual(model.players.map((p) => p.cents));
  expect(real.games.map((id) => metrics.get(id))).toEqual(real.games.map((_, g) => live(g)));
  expect(Math.min(...model.players.map((p) => p.cents))).toBeGreaterThanOrEqual(0);
}

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
    const steps = fc.commands(
      [
        ...[joins, joins, joins, joins, cancels, cancels, grants, edits, callsOff, waits],
        ...[withdraws, withdraws, ends, refunds, refunds, returns],
      ],
      {
        maxCommands: isLong ? 40 : 25,
        size: "max",
      },
    );
    const property = fc.asyncProperty(steps, async (commands) => {
      const setup = await start();
      await fc.asyncModelRun(() => setup, commands);
    });
    await fc.assert(property, { seed, numRuns: isLong ? 1_000 : 40, endOnFailure: true });
  },
);
