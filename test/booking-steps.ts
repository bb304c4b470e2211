import fc from "fast-check";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import {
  expectDeletion,
  expectedCancel,
  expectedJoin,
  type JoinWish,
  signUpAgain,
} from "./booking-model.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { isLive, liveIn, type Model, type ModelBooking } from "./model-state.ts";
import { agree, game, mostly, nth, player, type Real, type stepsOf } from "./model-steps.ts";
import { expectBooked } from "./paying-model.ts";
import { payingOf } from "./payment-holds.ts";
import { heldIn } from "./waitlist-model.ts";

/** Tries to join, and the model knows the result. */
export async function join(
  { db, jobs }: TestDatabase,
  model: Model,
  real: Real,
  { player: p, game: g, takesOffer = false, hold }: JoinWish,
): Promise<string> {
  const formKey = crypto.randomUUID();
  const ids = { gameId: real.games[g]!, playerId: real.players[p]! };
  const form = { ...ids, takesOffer, holdToken: hold?.token, formKey };
  const send = async () => {
    const result = await joinGame(db, jobs, { ...form, now: hoursLater(model.hour) });
    return result.ok ? "joined" : result.reason;
  };
  const wish = { player: p, game: g, takesOffer, hold };
  const expected = expectedJoin(model, wish);
  agree(await send(), expected);
  if (expected !== "joined") return expected;
  const booking = model.bookings.at(-1)!;
  booking.id = formKey;
  real.forms.unshift({
    send,
    expected: () =>
      isLive(booking) ? "joined" : expectedJoin(model, { ...wish, isFormUsed: true }),
    isGone: () => booking.player < 0,
  });
  return expected;
}

export async function cancel(
  { db, jobs }: TestDatabase,
  model: Model,
  real: Real,
  { booking, who }: { booking: ModelBooking; who: number },
) {
  const formKey = crypto.randomUUID();
  const form = { bookingId: booking.id, playerId: real.players[who]!, formKey };
  const send = async () => {
    const result = await cancelBooking(db, jobs, { ...form, now: hoursLater(model.hour) });
    return result.ok ? result.creditsBackCents : result.reason;
  };
  const expected = expectedCancel(model, booking, who);
  agree(await send(), expected);
  // Also what came back later, when somebody took the spot.
  if (typeof expected === "number") real.forms.unshift({ send, expected: () => booking.backCents });
}

/** What crashes have left unbooked. */
export async function bookPaid(database: TestDatabase, model: Model): Promise<void> {
  expectBooked(model);
  await payingOf(database).sweepPaid(hoursLater(model.hour));
}

/** What players do who are in a game, or want to be. */
export function bookingSteps(
  database: TestDatabase,
  accounts: Accounts,
  step: ReturnType<typeof stepsOf>,
) {
  const joins = fc.tuple(player, game, fc.boolean()).map(([p, g, takesOffer]) =>
    step(`player ${p} joins game ${g}${takesOffer ? ", as offered" : ""}`, async (model, real) => {
      await join(database, model, real, { player: p, game: g, takesOffer });
    }),
  );
  /** All games are full, and half of the players in none. */
  const fills = [
    ...[0, 1].map((g) => ({ player: 0, game: g })),
    ...[1, 2].flatMap((p) => [2, 3].map((g) => ({ player: p, game: g }))),
  ].map((wish) =>
    step(`player ${wish.player} joins game ${wish.game}`, async (model, real) => {
      await join(database, model, real, wish);
    }),
  );
  const answers = nth.map((n) =>
    step(`offer ${n} is taken`, async (model, real) => {
      const offered = model.entries.filter(({ status }) => status === "Offered");
      const entry = offered[n % offered.length];
      if (!entry) return;
      await join(database, model, real, { ...entry, takesOffer: true });
    }),
  );
  const empties = player.map((p) =>
    step(`player ${p} gives every seat back`, async (model, real) => {
      const own = model.bookings.filter((one) => one.player === p && isLive(one));
      for (const booking of own) await cancel(database, model, real, { booking, who: p });
    }),
  );
  const cancels = fc.tuple(nth, player, mostly).map(([n, p, isOwn]) =>
    step(`booking ${n} is cancelled${isOwn ? "" : ` by player ${p}`}`, async (model, real) => {
      const live = model.bookings.filter((one) => isLive(one) && one.player >= 0);
      const all = isOwn ? live : model.bookings;
      const booking = all[n % Math.max(1, all.length)];
      if (!booking) return;
      await cancel(database, model, real, { booking, who: isOwn ? booking.player : p });
    }),
  );
  const edits = fc.tuple(game, fc.integer({ min: 1, max: 4 }), mostly).map(([g, any, isAny]) =>
    step(`game ${g} gets ${isAny ? any : "too few"} seats`, async (model, real) => {
      const taken = liveIn(model, g).length + heldIn(model, g);
      const spots = isAny || taken < 2 ? any : taken - 1;
      const edit = database.pool.query("update games set max_players = $2 where id = $1", [
        real.games[g],
        spots,
      ]);
      const result = await edit.then(
        () => "edited",
        (error: { constraint?: string }) => error.constraint,
      );
      agree(result, expectedSeats(model, g, spots));
    }),
  );
  const returns = player.map((p) =>
    step(`player ${p} deletes the account and signs up again`, async (model, real) => {
      // A player who cannot sign in cannot delete the account.
      if (model.players[p]!.isSuspended) return;
      await bookPaid(database, model);
      expectDeletion(model, p);
      const userId = real.players[p]!;
      const now = hoursLater(model.hour);
      real.banks = real.banks.filter((bank) => bank.player !== p);
      real.players[p] = await signUpAgain({ ...database, accounts }, userId, now);
    }),
  );
  const passes = fc.constantFrom(0.25, 0.5, 0.5, 1, 1, 2, 3, 5, 10).map((hours) =>
    step(`${hours} h pass`, async (model) => {
      model.hour += hours;
    }),
  );
  return { joins, fills, answers, empties, cancels, edits, returns, passes };
}

/** "edited", or the constraint against it. */
function expectedSeats(model: Model, g: number, spots: number): string {
  const one = model.games[g]!;
  const seats = liveIn(model, g).length;
  if ((one.minPlayers ?? 0) > spots) return "games_min_players";
  if (seats > spots) return "games_seats_within_capacity";
  if (seats + heldIn(model, g) > spots) return "games_spots_within_capacity";
  if (one.spots !== spots) one.version += 1;
  one.spots = spots;
  return "edited";
}
