import fc from "fast-check";
import { suspendAccount, unsuspendAccount } from "#app/features/accounts/account-status.server.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { decideGame } from "#app/features/organise/decide-games.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { markPaid, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { playAnyway } from "#app/features/organise/play-anyway.server.ts";
import { listGamesToDecide } from "#app/features/games/decisions.server.ts";
import { expectedCallOff } from "./booking-model.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { isLive, isOn, type Model } from "./model-state.ts";
import { agree, game, mostly, nth, player, type Real, type stepsOf } from "./model-steps.ts";
import {
  type Addition,
  expectedAdd,
  expectedDecision,
  expectedEdit,
  expectedPayment,
  expectedRepeat,
  expectedPlayAnyway,
  expectedRemoval,
  expectedUndoing,
  isDue,
} from "./organiser-model.ts";
import { firstEligible, freeIn, promote } from "./waitlist-model.ts";
import { nameBookings } from "./waitlist-steps.ts";

/** Steps of who is in a game, by an organiser's hand. */
export function rosterSteps(
  { db, jobs }: TestDatabase,
  step: ReturnType<typeof stepsOf>,
  actorId: string,
) {
  const adds = fc.tuple(player, game, mostly).map(([p, any, hasSpot]) =>
    step(`player ${p} is added to game ${any}, or one with a spot`, async (model, real) => {
      const all = model.games.map((_, n) => n);
      const open = all.filter((n) => model.games[n]!.isOpen && freeIn(model, n) > 0);
      const late = open.filter((n) => model.games[n]!.startsIn <= model.hour);
      // Mostly one that has begun: hardly anything else happens to those.
      const [g = any] = hasSpot ? [...late, ...open.slice(any)] : [];
      const formKey = crypto.randomUUID();
      const ids = { gameId: real.games[g]!, playerId: real.players[p]!, actorId, formKey };
      const addition: Addition = { id: formKey, player: p, game: g };
      const send = async () => {
        const nextId = real.players[addition.nextPlayer ?? -1];
        const result = await addPlayer(db, jobs, { ...ids, nextId, now: hoursLater(model.hour) });
        return result.ok ? "added" : result.reason;
      };
      let expected = expectedAdd(model, addition);
      agree(await send(), expected);
      if (expected === "unconfirmed") {
        addition.nextPlayer = firstEligible(model, g)!.player;
        expected = expectedAdd(model, addition);
        agree(await send(), expected);
      }
      if (expected !== "added") return;
      const booking = model.bookings.at(-1)!;
      real.forms.unshift({
        send,
        expected: () =>
          isLive(booking) ? "added" : expectedAdd(model, { ...addition, isFormUsed: true }),
        isGone: () => booking.player < 0,
      });
    }),
  );
  const removes = fc.tuple(nth, fc.boolean(), mostly).map(([n, withRefund, isIn]) =>
    step(`booking ${n} is removed ${withRefund ? "with" : "without"} a refund`, async (m, real) => {
      const booking = oneBooking(m, n, isIn);
      if (!booking) return;
      const seat = { gameId: real.games[booking.game]!, bookingId: booking.id, actorId };
      const formKey = crypto.randomUUID();
      const removal = { ...seat, withRefund, formKey };
      const send = async () => {
        const result = await removePlayer(db, jobs, { ...removal, now: hoursLater(m.hour) });
        return result.ok ? result.creditsBackCents : result.reason;
      };
      const expected = expectedRemoval(m, booking, withRefund);
      const result = expected === "removed" ? booking.backCents : expected;
      agree(await send(), result);
      if (expected === "removed") real.forms.unshift({ send, expected: () => result });
    }),
  );
  return { adds, removes };
}

/** What is paid by hand. */
export function cashSteps({ db }: TestDatabase, step: ReturnType<typeof stepsOf>, actorId: string) {
  const pays = fc.tuple(nth, mostly).map(([n, isIn]) =>
    step(`booking ${n} is paid in cash`, async (model, real) => {
      const all = model.bookings.filter(({ status }) => !isIn || status === "Unpaid");
      const booking = all[n % Math.max(1, all.length)];
      if (!booking) return;
      const seat = { gameId: real.games[booking.game]!, bookingId: booking.id, actorId };
      const cash = { amountCents: 1_000, method: "Cash" as const };
      const payment = { ...seat, ...cash, cashPaymentId: crypto.randomUUID() };
      const send = async () => {
        const result = await markPaid(db, { ...payment, now: hoursLater(model.hour) });
        return result.ok ? "paid" : result.reason;
      };
      const expected = expectedPayment(model, booking);
      agree(await send(), expected);
      if (expected !== "paid") return;
      booking.cashPaymentId = payment.cashPaymentId;
      const again = () => expectedRepeat(model, booking, payment.cashPaymentId);
      real.forms.unshift({ send, expected: again, isGone: () => booking.player < 0 });
    }),
  );
  const takesBack = fc.tuple(nth, fc.boolean()).map(([n, isMistake]) =>
    step(`payment ${n} by hand is ${isMistake ? "a mistake" : "given back"}`, async (m, real) => {
      const all = m.bookings.filter(({ cashPaymentId }) => cashPaymentId);
      const booking = all[n % Math.max(1, all.length)];
      if (!booking) return;
      const seat = { gameId: real.games[booking.game]!, bookingId: booking.id, actorId };
      const kind = isMistake ? "Mistake" : "GivenBack";
      const cash = {
        cashPaymentId: booking.cashPaymentId!,
        kind,
        now: hoursLater(m.hour),
      } as const;
      const result = await undoPayment(db, { ...seat, ...cash });
      agree(result.ok ? "undone" : result.reason, expectedUndoing(booking, isMistake));
    }),
  );
  return { pays, takesBack };
}

export function organiserSteps(
  { db, jobs }: TestDatabase,
  step: ReturnType<typeof stepsOf>,
  actorId: string,
) {
  const suspends = fc.tuple(player, mostly).map(([any, isWaiting]) =>
    step(`player ${any}, or one who waits, is suspended, or no more`, async (model, real) => {
      const all = model.entries.filter((one) => isWaiting && isOn(one));
      const p = all[any % all.length]?.player ?? any;
      const one = model.players[p]!;
      const account = { userId: real.players[p]!, actor: actorId };
      const now = hoursLater(model.hour);
      const result = one.isSuspended
        ? await unsuspendAccount(db, jobs, account, now)
        : (await suspendAccount(db, jobs, { ...account, reason: "Rude" }, now)).ok;
      agree(result, true);
      one.isSuspended = !one.isSuspended;
    }),
  );
  const callsOff = game.map((g) =>
    step(`game ${g} is called off`, async (model, real) => {
      const form = { gameId: real.games[g]!, actor: actorId, formKey: crypto.randomUUID() };
      const send = async () => {
        const result = await cancelGame(db, jobs, { ...form, now: hoursLater(model.hour) });
        return result.ok ? result.players : null;
      };
      const expected = expectedCallOff(model, g);
      agree(await send(), expected);
      if (expected !== null) real.forms.unshift({ send, expected: () => expected });
    }),
  );
  return { suspends, callsOff };
}

function oneBooking(model: Model, n: number, isIn: boolean) {
  const all = model.bookings.filter((one) => !isIn || isLive(one));
  return all[n % Math.max(1, all.length)];
}

/** Go or no-go: when games are decided, and what organisers do about it. */
export function decisionSteps(
  database: TestDatabase,
  step: ReturnType<typeof stepsOf>,
  actorId: string,
) {
  const { db, jobs } = database;
  /** The list is served first. */
  async function decide(model: Model, g: number, gameId: string) {
    const given = promote(model, g);
    const expected = expectedDecision(model, g);
    const now = hoursLater(model.hour);
    agree(await decideGame(db, jobs, { gameId, now }), expected);
    await nameBookings(database, model, given);
    return expected;
  }
  async function decideAll(model: Model, real: Real) {
    const now = hoursLater(model.hour);
    const due = new Set(await listGamesToDecide(db, now));
    const own = model.games.map((_, g) => due.has(real.games[g]!));
    agree(
      own,
      model.games.map((_, g) => isDue(model, g)),
    );
    for (const [g, gameId] of real.games.entries()) {
      const expected = await decide(model, g, gameId);
      // Again, as the next sweep: what is decided stays so.
      if (expected) agree(await decide(model, g, gameId), null);
    }
  }
  const waiting = fc.constantFrom(0, 0, 0.25, 0.5, 1, 2, 3);
  const decides = fc.tuple(waiting, fc.boolean()).map(([hours, isNow]) =>
    step(
      `${hours} h later${isNow ? "" : ", or at the next time"}, games are decided`,
      async (model, real) => {
        model.hour += hours;
        if (!isNow) model.hour = Math.max(model.hour, nextDecision(model));
        await decideAll(model, real);
      },
    ),
  );
  const insists = fc.tuple(game, mostly).map(([g, isFresh]) =>
    step(`game ${g} is played anyway${isFresh ? "" : ", by an old form"}`, async (model, real) => {
      const version = model.games[g]!.version - (isFresh ? 0 : 1);
      const wish = { gameId: real.games[g]!, actorId, version, now: hoursLater(model.hour) };
      const result = await playAnyway(db, jobs, wish);
      agree(result.ok ? "on" : result.reason, expectedPlayAnyway(model, g, version));
    }),
  );
  const minimum = fc.record({
    minPlayers: fc.constantFrom(null, 1, 2, 2, 3),
    decidesHours: fc.constantFrom(0, 0.5, 3, 8, 16, 24, 48),
  });
  const plans = fc.tuple(game, minimum).map(([g, to]) =>
    step(`game ${g} gets ${JSON.stringify(to)}`, async (model, real) => {
      const gameId = real.games[g]!;
      const { plan, version } = (await findPlannedGame(db, gameId))!;
      const edit = { gameId, actorId, version, withFollowing: false, confirmed: true };
      const now = hoursLater(model.hour);
      const result = await editGame(db, jobs, { ...edit, plan: { ...plan, ...to }, now });
      agree(result.ok ? "edited" : result.reason, expectedEdit(model, g, to));
    }),
  );
  return { decides, insists, plans };
}

/** Takes a game that is not decided yet, where it is not further than six hours. */
function nextDecision({ games, hour }: Model): number {
  const times = games
    .filter(({ isOpen, minPlayers, decision }) => isOpen && minPlayers !== null && !decision)
    .map(({ startsIn, decidesHours }) => startsIn - decidesHours)
    .filter((time) => time > hour && time < hour + 6);
  return times.length > 0 ? Math.min(...times) : hour;
}
