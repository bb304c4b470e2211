import fc from "fast-check";
import { giveBackHold, holdSpot } from "#app/features/friends/holds.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { expectedJoin } from "./booking-model.ts";
import { join } from "./booking-steps.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { expectedGiveBack, expectedHold } from "./hold-model.ts";
import { isLive, type Model, type ModelHold, pendingDecision } from "./model-state.ts";
import { agree, game, mostly, nth, player, type Real, type stepsOf } from "./model-steps.ts";
import { belongsToOthers, freeIn } from "./waitlist-model.ts";

function holders({ db, jobs, pool }: TestDatabase) {
  async function hold(model: Model, real: Real, who: { player: number; game: number }) {
    const formKey = crypto.randomUUID();
    const form = { gameId: real.games[who.game]!, playerId: real.players[who.player]!, formKey };
    const send = async () => {
      const result = await holdSpot(db, jobs, { ...form, now: hoursLater(model.hour) });
      return result.ok ? "held" : result.reason;
    };
    const free = freeIn(model, who.game);
    const belongs = belongsToOthers(model, who.player, who.game);
    const expected = expectedHold(model, { ...who, id: formKey, free, belongs });
    agree(await send(), expected);
    if (expected !== "held") return;
    const token = await pool.query<{ token: string }>(
      "select token from friend_holds where id = $1",
      [formKey],
    );
    const held = model.holds.at(-1)!;
    held.token = token.rows[0]!.token;
    real.forms.unshift({ send, expected: () => "held" });
    return held;
  }

  /** Both pages are open, both press: the first has it. */
  async function race(model: Model, real: Real, held: ModelHold, friends: [number, number]) {
    const forms = friends.map((p) => ({ p, formKey: crypto.randomUUID() }));
    const results = await Promise.all(forms.map((form) => tryTake(model, real, held, form)));
    for (const at of isSecond(results) ? [1, 0] : [0, 1]) {
      const { p, formKey } = forms[at]!;
      const expected = expectedJoin(model, { player: p, game: held.game, hold: held });
      agree(results[at], expected);
      if (expected === "joined") model.bookings.at(-1)!.id = formKey;
    }
  }

  async function tryTake(
    model: Model,
    real: Real,
    held: ModelHold,
    { p, formKey }: { p: number; formKey: string },
  ): Promise<string> {
    const ids = { gameId: real.games[held.game]!, playerId: real.players[p]!, formKey };
    const now = hoursLater(model.hour);
    const result = await joinGame(db, jobs, { ...ids, holdToken: held.token, now });
    return result.ok ? "joined" : result.reason;
  }

  return { hold, race };
}

/** Spots that players hold for friends, and the friends who take them. */
export function holdSteps(database: TestDatabase, step: ReturnType<typeof stepsOf>) {
  const { db, jobs, pool } = database;

  const { hold, race } = holders(database);

  const holds = fc.tuple(nth, player, game, mostly).map(([n, p, g, isIn]) =>
    step(`a spot is held by player ${p} of game ${g}, or of booking ${n}`, async (model, real) => {
      const who = (isIn && playerIn(model, n)) || { player: p, game: g };
      await hold(model, real, who);
    }),
  );
  const brings = fc.tuple(nth, player, player).map(([n, one, other]) =>
    step(`a spot more is held by booking ${n}, for ${one} or ${other}`, async (model, real) => {
      const who = playerIn(model, n);
      if (!who || one === other) return;
      const { rowCount } = await pool.query(
        "update games set max_players = max_players + 1 where id = $1 and max_players < 5",
        [real.games[who.game]],
      );
      const opened = model.games[who.game]!;
      opened.spots += rowCount!;
      opened.version += rowCount!;
      const held = await hold(model, real, who);
      if (held) await race(model, real, held, [one, other]);
    }),
  );

  const takes = fc.tuple(nth, player, mostly).map(([n, p, isLast]) =>
    step(`the spot of link ${n} is taken by player ${p}`, async (model, real) => {
      const held = holdOf(model, n, isLast);
      if (held) await join(database, model, real, { player: p, game: held.game, hold: held });
    }),
  );
  const races = fc.tuple(nth, player, player, mostly).map(([n, one, other, isLast]) =>
    step(`the spot of link ${n} is taken by players ${one} and ${other}`, async (model, real) => {
      const held = holdOf(model, n, isLast);
      if (held && one !== other) await race(model, real, held, [one, other]);
    }),
  );

  const givesBack = fc.tuple(nth, player, game, mostly).map(([n, p, g, isOwn]) =>
    step(`the spot of link ${n} is given back, or of player ${p}`, async (model, real) => {
      const live = model.holds.filter(({ status, player }) => status === "Held" && player >= 0);
      const own = isOwn ? live[n % Math.max(1, live.length)] : undefined;
      const { player: who, game: where } = own ?? { player: p, game: g };
      const ids = { gameId: real.games[where]!, playerId: real.players[who]! };
      const result = await giveBackHold(db, jobs, { ...ids, now: hoursLater(model.hour) });
      agree(result.ok ? "given-back" : result.reason, expectedGiveBack(model, who, where));
    }),
  );

  const holdsLate = fc.tuple(nth, fc.constantFrom(0, 0.05, 0.25)).map(([n, before]) =>
    step(`${before} h before the decision a spot is held by booking ${n}`, async (model, real) => {
      const who = playerIn(model, n);
      const decidesAt = who && pendingDecision(model, who.game);
      if (!who || decidesAt === null || decidesAt === undefined) return;
      // Not days ahead: the other games have to go on.
      if (decidesAt - model.hour < 6) model.hour = Math.max(model.hour, decidesAt - before);
      await hold(model, real, who);
    }),
  );

  return { holds, brings, takes, races, givesBack, holdsLate };
}

/** Whether the first of two was served after the other; before it, it would have been answered otherwise. */
const isSecond = ([one, other]: string[]) =>
  one === "hold-taken" || (one === "joined" && other !== "hold-taken");

function playerIn({ bookings }: Model, n: number) {
  const live = bookings.filter((one) => isLive(one) && one.player >= 0);
  return live[n % Math.max(1, live.length)];
}

/** Mostly the newest; any other may be over or taken. */
function holdOf({ holds }: Model, n: number, isLast: boolean): ModelHold | undefined {
  return isLast ? holds.at(-1) : holds[n % Math.max(1, holds.length)];
}
