import fc from "fast-check";
import { expect } from "vitest";
import { freeSpots } from "#app/features/bookings/after-join.server.ts";
import { joinWaitlist, leaveWaitlist } from "#app/features/bookings/join-waitlist.server.ts";
import { promoteWaiting } from "#app/features/bookings/promote-waiting.server.ts";
import { listWaiting, type Waiting } from "#app/features/bookings/waitlist-order.server.ts";
import type { UntilHours } from "#app/features/bookings/waitlist-rules.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import type { Model, ModelPlace } from "./model-state.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { agree, type Real, type stepsOf } from "./model-steps.ts";
import { expectedLeave, expectedWait, promote } from "./waitlist-model.ts";

const mode = fc.constantFrom("auto" as const, "auto" as const, "ask" as const);
const until = fc.constantFrom(0 as const, 0 as const, 1 as const, 6 as const, 24 as const);

interface Tools extends Record<"player" | "game", fc.Arbitrary<number>> {
  join(model: Model, real: Real, wish: { player: number; game: number }): Promise<string>;
}

/** What those who wait can do, and the queue that serves them. */
export function waitlistSteps(
  database: TestDatabase,
  step: ReturnType<typeof stepsOf>,
  { player, game, join }: Tools,
) {
  async function wait(
    model: Model,
    real: Real,
    place: Pick<ModelPlace, "player" | "game" | "mode"> & { untilHours: UntilHours },
  ) {
    const formKey = crypto.randomUUID();
    const { player: p, game: g, mode: how, untilHours } = place;
    const expected = expectedWait(model, { ...place, id: formKey });
    const ids = { gameId: real.games[g]!, playerId: real.players[p]!, formKey };
    const own = { mode: how, untilHours, now: hoursLater(model.hour) };
    const result = await joinWaitlist(database.db, { ...ids, ...own });
    agree(result.ok ? "waits" : result.reason, expected);
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
  const leaves = fc.tuple(player, game).map(([p, g]) =>
    step(`player ${p} leaves the list of game ${g}`, async (model, real) => {
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
      model.games[g]!.startsIn += 24;
      await database.pool.query("update games set date = date + 1 where id = $1", [real.games[g]]);
    }),
  );
  return { waits, wants, leaves, moves, promotes: queueStep(database, step) };
}

function queueStep(database: TestDatabase, step: ReturnType<typeof stepsOf>) {
  // Again until nothing happens: a refund may make somebody eligible whose game came before.
  const promotes = fc.constantFrom(0, 0, 0.25, 0.5, 1, 2, 2.5).map((hours) =>
    step(`${hours} h later the queue is served`, async (model, real) => {
      model.hour += hours;
      const serveAll = async () => {
        let given = 0;
        for (const [g, gameId] of real.games.entries()) given += await serve(model, g, gameId);
        return given;
      };
      while ((await serveAll()) > 0);
      for (const gameId of real.games) await expectQuiet(model, gameId);
    }),
  );

  /** In the order of the list: the model knows who comes next after each of them. */
  async function serve(model: Model, g: number, gameId: string): Promise<number> {
    const given = promote(model, g);
    const now = hoursLater(model.hour);
    agree(await promoteWaiting(database.db, database.jobs, { gameId, now }), given.length);
    const { rows: booked } = await database.pool.query<{ id: string; placeId: string }>(
      `select booking_id as id, id as "placeId" from waitlist_entries
       where game_id = $1 and status = 'Promoted'`,
      [gameId],
    );
    for (const { id, placeId } of booked) {
      const booking = model.bookings.find((one) => one.placeId === placeId);
      if (booking) booking.id = id;
    }
    return given.length;
  }

  async function expectQuiet(model: Model, gameId: string) {
    const { free, waiting } = await readList(gameId, hoursLater(model.hour));
    if (free > 0) expect(waiting.filter(({ obstacle }) => !obstacle)).toEqual([]);
  }

  const readList = (gameId: string, now: Date): Promise<{ free: number; waiting: Waiting[] }> =>
    database.db.transaction().execute(async (tx) => {
      const found = (await lockGame(tx, gameId))!;
      const isOpen = found.status === "Published" && found.startsAt > now;
      const waiting = isOpen ? await listWaiting(tx, found, { now }) : [];
      return { free: freeSpots(found), waiting };
    });

  return promotes;
}
