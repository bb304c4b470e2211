import fc from "fast-check";
import { joinWaitlist, leaveWaitlist } from "#app/features/bookings/join-waitlist.server.ts";
import { promoteWaiting } from "#app/features/bookings/promote-waiting.server.ts";
import type { UntilHours } from "#app/features/bookings/waitlist-rules.ts";
import type { JoinWish } from "./booking-model.ts";
import { expectServed } from "./booking-properties.ts";
import { isOn, type Model, type ModelPlace } from "./model-state.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { agree, game, mostly, nth, player, type Real, type stepsOf } from "./model-steps.ts";
import { decideAgain } from "./organiser-model.ts";
import { expectedLeave, expectedWait, placeOf, promote } from "./waitlist-model.ts";

const mode = fc.constantFrom("auto" as const, "auto" as const, "ask" as const);
const until = fc.constantFrom(0 as const, 0 as const, 1 as const, 6 as const, 24 as const);

type Join = (model: Model, real: Real, wish: JoinWish) => Promise<string>;

/** What those who wait can do, and the queue that serves them. */
export function waitlistSteps(
  database: TestDatabase,
  step: ReturnType<typeof stepsOf>,
  join: Join,
) {
  async function wait(
    model: Model,
    real: Real,
    place: Pick<ModelPlace, "player" | "game" | "mode"> & { untilHours: UntilHours },
  ) {
    const formKey = crypto.randomUUID();
    const { player: p, game: g, mode: how, untilHours } = place;
    const playerId = real.players[p]!;
    const send = async () => {
      const ids = { gameId: real.games[g]!, playerId, formKey };
      const own = { mode: how, untilHours, now: hoursLater(model.hour) };
      const result = await joinWaitlist(database.db, database.jobs, { ...ids, ...own });
      return result.ok ? "waits" : result.reason;
    };
    const wish = { ...place, id: formKey };
    const expected = expectedWait(model, wish);
    agree(await send(), expected);
    if (expected !== "waits") return;
    const own = placeOf(model, p, g)!;
    real.forms.unshift({
      send,
      expected: () => (isOn(own) ? "waits" : expectedWait(model, { ...wish, isFormUsed: true })),
      // Two moves ago a place was agreed to by a form that nobody remembers.
      isGone: () => own.player < 0 || ![own.id, own.agreedId].includes(formKey),
    });
  }
  const place = fc.record({ player, game, mode, untilHours: until });
  const waits = place.map((wish) =>
    step(`waits: ${JSON.stringify(wish)}`, (model, real) => wait(model, real, wish)),
  );
  const wants = place.map((wish) =>
    step(`joins, else waits: ${JSON.stringify(wish)}`, async (model, real) => {
      const result = await join(model, real, wish);
      if (result === "full" || result === "belongs-to-waitlist") await wait(model, real, wish);
    }),
  );
  // Else one player rarely holds spots of several games at once.
  const asks = player.map((p) =>
    step(`player ${p} wants to be asked wherever it is full`, async (model, real) => {
      for (const g of model.games.keys()) {
        await wait(model, real, { player: p, game: g, mode: "ask", untilHours: 0 });
      }
    }),
  );
  const leaves = fc.tuple(nth, player, game, mostly).map(([n, ...any]) =>
    step(`place ${n} of those who wait is left: ${any}`, async (model, real) => {
      const [ofPlayer, ofGame, isOwn] = any;
      const all = isOwn ? model.places.filter(isOn) : [];
      const wish = { player: ofPlayer, game: ofGame };
      const { player: p, game: g } = all[n % Math.max(1, all.length)] ?? wish;
      const expected = expectedLeave(model, p, g);
      const ids = { gameId: real.games[g]!, playerId: real.players[p]! };
      const result = await leaveWaitlist(database.db, database.jobs, {
        ...ids,
        now: hoursLater(model.hour),
      });
      agree(result.ok ? "left" : result.reason, expected);
    }),
  );
  const moves = game.map((g) =>
    step(`game ${g} is moved to the next day`, async (model, real) => {
      const one = model.games[g]!;
      Object.assign(one, { startsIn: one.startsIn + 24, version: one.version + 1 });
      // By SQL, which takes the time of the decision along.
      if (one.minPlayers !== null) decideAgain(model, g);
      await database.pool.query("update games set date = date + 1 where id = $1", [real.games[g]]);
    }),
  );
  return { waits, wants, asks, leaves, moves, promotes: queueStep(database, step) };
}

function queueStep(database: TestDatabase, step: ReturnType<typeof stepsOf>) {
  // Again until nothing happens: a refund, or an offer that has ended, may make somebody eligible
  // whose game came before.
  const promotes = fc.constantFrom(0, 0, 0.25, 0.5, 1, 2, 2.5).map((hours) =>
    step(`${hours} h later the queue is served`, async (model, real) => {
      model.hour += hours;
      const serveAll = async () => {
        let given = 0;
        for (const [g, gameId] of real.games.entries()) given += await serve(model, g, gameId);
        return given;
      };
      await serveAll();
      while ((await serveAll()) > 0);
      return (rows) => expectServed(real.rows, rows, hoursLater(model.hour));
    }),
  );

  /** In the order of the list: the model knows who comes next after each of them. */
  async function serve(model: Model, g: number, gameId: string): Promise<number> {
    const given = promote(model, g);
    const now = hoursLater(model.hour);
    agree(await promoteWaiting(database.db, database.jobs, { gameId, now }), given.length);
    // A transaction for each, the last to write the row of its place.
    agree(
      await nameBookings(database, model, given),
      given.map(({ id }) => id),
    );
    return given.length;
  }

  return promotes;
}

/** The database has named the bookings of those who were promoted. Their ids, as they were served. */
export async function nameBookings(
  { pool }: TestDatabase,
  model: Model,
  given: ModelPlace[],
): Promise<string[]> {
  if (given.length === 0) return [];
  const { rows } = await pool.query<{ id: string; bookingId: string | null }>(
    `select id, booking_id as "bookingId" from waitlist_entries
     where id = any($1) order by xmin::text::bigint`,
    [given.map(({ id }) => id)],
  );
  for (const { id, bookingId } of rows) {
    const booking = model.bookings.find((one) => one.placeId === id);
    if (booking && bookingId) booking.id = bookingId;
  }
  return rows.map(({ id }) => id);
}
