import fc from "fast-check";
import {
  changeAgreement,
  joinWaitlist,
  leaveWaitlist,
} from "#app/features/waitlist/join-waitlist.server.ts";
import {
  promoteOutOfOrder,
  removeFromWaitlist,
} from "#app/features/waitlist/organise-waitlist.server.ts";
import { promoteWaiting } from "#app/features/waitlist/promote-waiting.server.ts";
import type { UntilHours } from "#app/features/waitlist/rules.ts";
import type { JoinWish } from "./booking-model.ts";
import { expectServed } from "./booking-properties.ts";
import { isOn, type Model, type ModelEntry } from "./model-state.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { agree, game, mostly, nth, player, type Real, type stepsOf } from "./model-steps.ts";
import { decideAgain } from "./organiser-model.ts";
import {
  expectedChange,
  expectedLeave,
  expectedWait,
  entryOf,
  promote,
  putFirst,
} from "./waitlist-model.ts";

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
    entry: Pick<ModelEntry, "player" | "game" | "mode"> & { untilHours: UntilHours },
  ) {
    const formKey = crypto.randomUUID();
    const { player: p, game: g, mode: how, untilHours } = entry;
    const playerId = real.players[p]!;
    const send = async () => {
      const ids = { gameId: real.games[g]!, playerId, formKey };
      const own = { mode: how, untilHours, now: hoursLater(model.hour) };
      const result = await joinWaitlist(database.db, database.jobs, { ...ids, ...own });
      return result.ok ? "waits" : result.reason;
    };
    const wish = { ...entry, id: formKey };
    const expected = expectedWait(model, wish);
    agree(await send(), expected);
    if (expected !== "waits") return;
    const own = entryOf(model, p, g)!;
    real.forms.unshift({
      send,
      expected: () => (isOn(own) ? "waits" : expectedWait(model, { ...wish, isFormUsed: true })),
      // Two moves ago a place was agreed to by a form that nobody remembers.
      isGone: () => own.player < 0 || ![own.id, own.agreedId].includes(formKey),
    });
  }
  const entry = fc.record({ player, game, mode, untilHours: until });
  const waits = entry.map((wish) =>
    step(`waits: ${JSON.stringify(wish)}`, (model, real) => wait(model, real, wish)),
  );
  const wants = entry.map((wish) =>
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
      const all = isOwn ? model.entries.filter(isOn) : [];
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
  return { waits, wants, asks, leaves, promotes: queueStep(database, step) };
}

/** Other times, by SQL. */
export function timeSteps({ pool }: TestDatabase, step: ReturnType<typeof stepsOf>) {
  const moves = game.map((g) =>
    step(`game ${g} is moved to the next day`, async (model, real) => {
      const one = model.games[g]!;
      const moved = { startsIn: one.startsIn + 24, endsIn: one.endsIn + 24 };
      Object.assign(one, { ...moved, version: one.version + 1 });
      // Which takes the time of the decision along.
      if (one.minPlayers !== null) decideAgain(model, g);
      await pool.query("update games set date = date + 1 where id = $1", [real.games[g]]);
    }),
  );
  // The next games may be at the same hour or not any more.
  const ends = fc.tuple(game, fc.constantFrom(1, 1.5, 2)).map(([g, hours]) =>
    step(`game ${g} lasts ${hours} h`, async ({ games }, real) => {
      const one = games[g]!;
      const endsIn = one.startsIn + hours;
      if (endsIn !== one.endsIn) Object.assign(one, { endsIn, version: one.version + 1 });
      const end = "start_time + make_interval(mins => $2)";
      await pool.query(`update games set end_time = ${end} where id = $1`, [
        ...[real.games[g], hours * 60],
      ]);
    }),
  );
  return { moves, ends };
}

/** What is done to places that have their turn: other terms, and what organisers do. */
export function entrySteps(
  { db, jobs, pool }: TestDatabase,
  step: ReturnType<typeof stepsOf>,
  actorId: string,
) {
  const nthOf = (all: ModelEntry[], n: number) => all[n % Math.max(1, all.length)];
  const terms = fc.record({ player, game, mode, untilHours: until });
  const changes = fc.tuple(nth, mostly, terms).map(([n, isOwn, any]) =>
    step(`place ${n} gets other terms: ${JSON.stringify(any)}`, async (model, real) => {
      const own = isOwn ? nthOf(model.entries.filter(isOn), n) : undefined;
      const { player: p, game: g } = own ?? any;
      const wish = { ...any, player: p, game: g, id: crypto.randomUUID() };
      const ids = { gameId: real.games[g]!, playerId: real.players[p]!, formKey: wish.id };
      const form = { ...ids, mode: any.mode, untilHours: any.untilHours };
      const result = await changeAgreement(db, jobs, { ...form, now: hoursLater(model.hour) });
      agree(result.ok ? "changed" : result.reason, expectedChange(model, wish));
    }),
  );
  const removes = fc.tuple(nth, mostly).map(([n, isLive]) =>
    step(`an organiser takes place ${n} off the list`, async (model, real) => {
      const own = nthOf(isLive ? model.entries.filter(isOn) : model.entries, n);
      if (!own) return;
      const entry = { gameId: real.games[own.game]!, entryId: own.id, actorId };
      const form = { ...entry, formKey: crypto.randomUUID() };
      const send = async () => {
        const result = await removeFromWaitlist(db, jobs, { ...form, now: hoursLater(model.hour) });
        return result.ok ? "removed" : result.reason;
      };
      const expected = isOn(own) ? "removed" : "not-waiting";
      agree(await send(), expected);
      if (expected !== "removed") return;
      own.status = "Lapsed";
      real.forms.unshift({ send, expected: () => "removed", isGone: () => own.player < 0 });
    }),
  );
  const putsFirst = fc.tuple(nth, mostly).map(([n, isLive]) =>
    step(`an organiser puts place ${n} first`, async (model, real) => {
      const own = nthOf(isLive ? model.entries.filter(isOn) : model.entries, n);
      if (!own) return;
      const entry = { gameId: real.games[own.game]!, entryId: own.id, actorId };
      const form = { ...entry, reason: "Came last week", formKey: crypto.randomUUID() };
      const send = async () => {
        const now = hoursLater(model.hour);
        const result = await promoteOutOfOrder(db, jobs, { ...form, now });
        if (!result.ok) return result.reason;
        return result.isServed ? "served" : "waits";
      };
      const { result, given } = putFirst(model, own);
      agree(await send(), result);
      agree(
        await nameBookings({ pool }, model, given),
        given.map(({ id }) => id),
      );
      // The list has been served: a repeated form does nothing more.
      agree(await send(), result);
    }),
  );
  return { changes, removes, putsFirst };
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
  { pool }: Pick<TestDatabase, "pool">,
  model: Model,
  given: ModelEntry[],
): Promise<string[]> {
  if (given.length === 0) return [];
  const { rows } = await pool.query<{ id: string; bookingId: string | null }>(
    `select id, booking_id as "bookingId" from waitlist_entries
     where id = any($1) order by xmin::text::bigint`,
    [given.map(({ id }) => id)],
  );
  for (const { id, bookingId } of rows) {
    const booking = model.bookings.find((one) => one.entryId === id);
    if (booking && bookingId) booking.id = bookingId;
  }
  return rows.map(({ id }) => id);
}
