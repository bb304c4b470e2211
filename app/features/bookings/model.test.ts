import fc from "fast-check";
import { expect, test } from "vitest";
import { useDatabase } from "../../../test/db.ts";
import { withPatience } from "../../../test/patience.ts";
import { aGame, aPlayer, hoursLater } from "../../../test/world.ts";
import { correctBalance } from "../wallet/correct-balance.server.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { cancelGame } from "./cancel-game.server.ts";
import { checkBooks } from "./check-books.server.ts";
import { joinGame } from "./join-game.server.ts";
import { expectedCancel, expectedJoin, type Model, newModel } from "./model-fixture.ts";

/*
 * Any order of joins, cancellations, grants, capacity edits, called-off games and passing hours:
 * the database answers as the model does, and after every step the books are right. LONG=1 runs
 * many more; SEED repeats a run.
 */
const LONG = process.env.LONG === "1";
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const world = useDatabase();
withPatience(world);

interface Real {
  players: string[];
  games: string[];
}
type Step = fc.AsyncCommand<Model, Real>;

/** A step: what the model expects, what the database does, and that they agree. */
function step(name: string, deed: (model: Model, real: Real) => Promise<void>): Step {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await deed(model, real);
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
    const answer = await joinGame(world.db, world.jobs, { ...ids, now: hoursLater(model.hour) });
    agree(answer.ok ? "joined" : answer.reason, expected);
    const booking = model.bookings.at(-1);
    if (answer.ok && booking) booking.id = answer.bookingId;
  }),
);
const cancels = fc.tuple(fc.nat({ max: 40 }), player).map(([b, p]) =>
  step(`player ${p} cancels booking ${b}`, async (model, real) => {
    const booking = model.bookings[b % Math.max(1, model.bookings.length)];
    if (!booking) return;
    const expected = expectedCancel(model, booking, p);
    const answer = await cancelBooking(world.db, world.jobs, {
      bookingId: booking.id,
      playerId: real.players[p]!,
      now: hoursLater(model.hour),
    });
    agree(answer.ok ? answer.refundCents : answer.reason, expected);
  }),
);
const grants = fc.tuple(player, fc.integer({ min: -2_500, max: 2_500 })).map(([p, cents]) =>
  step(`player ${p} is granted ${cents}`, async (model, real) => {
    if (cents === 0) return;
    const wallet = model.players[p]!;
    const suffices = wallet.cents + cents >= 0;
    if (suffices) wallet.cents += cents;
    const grant = { userId: real.players[p]!, amountCents: cents, reason: "", actor: "command" };
    const { ok } = await correctBalance(world.db, { ...grant, key: crypto.randomUUID() });
    agree(ok, suffices);
  }),
);
const edits = fc.tuple(game, fc.integer({ min: 1, max: 4 })).map(([g, spots]) =>
  step(`game ${g} gets ${spots} seats`, async (model, real) => {
    const seats = model.bookings.filter((b) => b.game === g && b.status === "Paid").length;
    const edit = world.pool.query("update games set max_players = $2 where id = $1", [
      real.games[g],
      spots,
    ]);
    const answer = await edit.then(
      () => "edited",
      (error: { constraint?: string }) => error.constraint,
    );
    agree(answer, seats > spots ? "games_seats_within_capacity" : "edited");
    if (seats <= spots) model.games[g]!.spots = spots;
  }),
);
const callsOff = game.map((g) =>
  step(`game ${g} is called off`, async (model, real) => {
    const live = model.bookings.filter((b) => b.game === g && b.status === "Paid");
    const isOpen = model.games[g]!.isOpen;
    for (const booking of live) {
      model.players[booking.player]!.cents += booking.cents;
      if (booking.isFree) model.players[booking.player]!.hasUsedFree = false;
      booking.status = booking.cents > 0 ? "Refunded" : "Cancelled";
    }
    model.games[g]!.isOpen = false;
    const now = hoursLater(model.hour);
    const count = await cancelGame(world.db, world.jobs, { gameId: real.games[g]!, now });
    agree(count, isOpen ? live.length : null);
  }),
);
const waits = fc.integer({ min: 1, max: 15 }).map((hours) =>
  step(`${hours} h pass`, async (model) => {
    model.hour += hours;
  }),
);

function agree(answer: unknown, expected: unknown) {
  expect(answer).toEqual(expected);
}

async function compare(model: Model, real: Real) {
  const { differences } = await checkBooks(world.db);
  expect(differences).toEqual([]);
  const { rows } = await world.pool.query<{ id: string; figure: number }>(
    `select user_id as id, (wallet_balance_eur * 100)::int as figure from profiles
     where user_id = any($1)
     union all select id, seats_taken from games where id = any($2)`,
    [real.players, real.games],
  );
  const figures = new Map(rows.map(({ id, figure }) => [id, figure]));
  const live = (g: number) =>
    model.bookings.filter((b) => b.game === g && b.status === "Paid").length;
  expect(real.players.map((id) => figures.get(id))).toEqual(model.players.map((p) => p.cents));
  expect(real.games.map((id) => figures.get(id))).toEqual(real.games.map((_, g) => live(g)));
  expect(Math.min(...model.players.map((p) => p.cents))).toBeGreaterThanOrEqual(0);
}

async function start(): Promise<{ model: Model; real: Real }> {
  const model = newModel();
  const players = await Promise.all(
    model.players.map(({ cents }) => aPlayer(world.db, { credits: cents / 100 })),
  );
  const games = await Promise.all(
    model.games.map(({ startsIn, spots, isFree }) =>
      aGame(world.db, { startsIn, spots, is_first_session_free: isFree }),
    ),
  );
  return { model, real: { players, games } };
}

test(
  `the database does what the model does (SEED=${seed})`,
  { timeout: LONG ? 7_200_000 : 600_000 },
  async () => {
    const steps = fc.commands(
      [joins, joins, joins, cancels, cancels, grants, edits, callsOff, waits],
      {
        maxCommands: LONG ? 40 : 25,
        size: "max",
      },
    );
    const property = fc.asyncProperty(steps, async (commands) => {
      const setup = await start();
      await fc.asyncModelRun(() => setup, commands);
    });
    await fc.assert(property, { seed, numRuns: LONG ? 1_000 : 60, endOnFailure: true });
  },
);
