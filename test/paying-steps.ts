import fc from "fast-check";
import { joinObstacle } from "./booking-model.ts";
import type { Rows } from "./booking-rows.ts";
import { bookPaid, cancel } from "./booking-steps.ts";
import { expectNonePassed } from "./booking-properties.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { isLive, isOn, type Model, type ModelHold, receive } from "./model-state.ts";
import { agree, game, mostly, nth, player, type Real, type stepsOf } from "./model-steps.ts";
import {
  bindPaying,
  closePaying,
  expectBooked,
  expectedPaying,
  isToBook,
  payForNoGame,
  unbindPaying,
} from "./paying-model.ts";
import { payingOf, paymentHoldsOf } from "./payment-holds.ts";
import { deliverEvents, singlePurchase } from "./payments.ts";
import { priceOf } from "./waitlist-model.ts";

/** About a minute, so that no two of a player's are of one instant; no fraction of an hour is rounded. */
const A_MOMENT = 1 / 64;

const now = ({ hour }: Model) => hoursLater(hour);

/** Players who go to pay for a game, or go there no longer. */
export function payingSteps(database: TestDatabase, step: ReturnType<typeof stepsOf>) {
  const paying = payingOf(database);

  async function goToPay(
    model: Model,
    real: Real,
    who: { player: number; game: number; hold?: ModelHold | undefined },
  ) {
    if (model.paying.some(isToBook)) await bookPaid(database, model);
    model.hour += A_MOMENT;
    const before = real.rows;
    const userId = real.players[who.player]!;
    const wish = { now: now(model), ...(who.hold && { holdToken: who.hold.token }) };
    const result = await paying.tryHold(real.games[who.game]!, userId, wish);
    const expected = expectedPaying(model, { id: "new", ...who });
    agree(result.ok || result.reason, expected === "held" || expected === "free" || expected);
    await nameNew(model, userId);
    return (rows: Rows) => expectNonePassed(before, rows, now(model));
  }
  const holds = fc.tuple(player, game, nth, mostly, mostly).map(([p, any, n, hasSpot, isLink]) =>
    step(`player ${p} goes to pay for game ${any}, or one with a spot`, (model, real) => {
      const open = [...model.games.keys()].filter((g) => {
        return priceOf(model, p, g) > 0 && !joinObstacle(model, { player: p, game: g });
      });
      const links = isLink ? [] : model.holds.filter(({ status }) => status === "Held");
      const hold = links[n % Math.max(1, links.length)];
      const one = hasSpot ? open[any % Math.max(1, open.length)] : undefined;
      return goToPay(model, real, { player: p, game: hold?.game ?? one ?? any, hold });
    }),
  );
  const passes = fc.tuple(player, nth).map(([p, n]) =>
    step(
      `player ${p} goes to pay for a spot that was given back while others wait`,
      async (m, real) => {
        const wanted = m.bookings.filter((one) => {
          const waits = m.entries.some((entry) => entry.game === one.game && isOn(entry));
          return waits && isLive(one) && one.player >= 0 && one.player !== p;
        });
        const booking = wanted[n % Math.max(1, wanted.length)];
        if (!booking) return;
        await cancel(database, m, real, { booking, who: booking.player });
        await goToPay(m, real, { player: p, game: booking.game });
      },
    ),
  );
  /** The database has named it. */
  async function nameNew(model: Model, userId: string) {
    const paid = model.paying.find(({ id }) => id === "new");
    if (paid) paid.id = (await paymentHoldsOf(database.db, userId)).at(-1)!.id;
  }

  const stops = fc.tuple(nth, player, game, mostly).map(([n, p, g, isOwn]) =>
    step(`who pays for game ${g}, or ${n}, gives the spot back`, async (model, real) => {
      const own = isOwn ? payers(model, n) : undefined;
      const { player: who, game: where } = own ?? { player: p, game: g };
      const result = await paying.stop(real.games[where]!, real.players[who]!, now(model));
      const expected = closePaying(model, who, { game: where }) || "not-paying";
      agree(result.ok || result.reason, expected);
    }),
  );

  const returns = player.map((p) =>
    step(`player ${p} goes to pay for no game`, async (model, real) => {
      payForNoGame(model, p);
      await paying.payForNoGame(real.players[p]!, now(model));
    }),
  );
  return { holds, passes, stops, returns };
}

/** Their money, and what becomes of it. */
export function moneySteps(database: TestDatabase, step: ReturnType<typeof stepsOf>) {
  const paying = payingOf(database);

  /** The money of a player, mostly of one who went to pay; its job may be lost. */
  async function receiveMoney(model: Model, events: Money, { isLost }: { isLost: boolean }) {
    const { player: p, purchase, event } = events;
    receive(model, p, 1_000);
    bindPaying(model, { player: p, session: purchase.id, isPaid: true });
    agree(await deliverEvents(database, [event, event], now(model)), ["applied", "repeated"]);
    if (isLost) {
      await database.pool.query("delete from pgboss.job where name = 'payment.join'");
      return;
    }
    expectBooked(model);
    await paying.sweepPaid(now(model));
    // Jobs that come after all: what is booked, or declined, stays so.
    await paying.work(now(model));
  }

  const after = fc.constantFrom(0, 0, 0, 0.125, 0.25, 0.25, 1, 25);
  const pays = fc.tuple(nth, player, mostly, mostly, after).map(([n, p, isPayer, isKept, hours]) =>
    step(`${hours} h later the money of payer ${n}, or player ${p}, comes`, async (model, real) => {
      model.hour += A_MOMENT + hours;
      const who = (isPayer ? payers(model, n)?.player : undefined) ?? p;
      const purchase = singlePurchase(real.players[who]!);
      const money = { player: who, purchase, event: purchase.completed };
      await receiveMoney(model, money, { isLost: !isKept });
    }),
  );
  const begins = fc.tuple(nth, player, mostly).map(([n, p, isPayer]) =>
    step(`payer ${n}, or player ${p}, pays by a bank`, async (model, real) => {
      const who = (isPayer ? payers(model, n)?.player : undefined) ?? p;
      const userId = real.players[who]!;
      const purchase = singlePurchase(userId);
      bindPaying(model, { player: who, session: purchase.id, isPaid: false });
      await deliverEvents(database, [purchase.unpaid, purchase.unpaid], now(model));
      real.banks.push({ player: who, purchase });
    }),
  );
  const ends = fc.tuple(nth, mostly, mostly, after).map(([n, isPaid, isKept, hours]) =>
    step(
      `${hours} h later bank ${n} ${isPaid ? "has the money" : "fails"}`,
      async (model, real) => {
        const bank = real.banks[n % Math.max(1, real.banks.length)];
        if (!bank) return;
        model.hour += A_MOMENT + hours;
        const { player: p, purchase } = bank;
        const { succeeded, failed } = purchase;
        // A failure may be followed by success after all.
        real.banks = real.banks.filter((one) => one !== bank || !isPaid);
        if (isPaid)
          return receiveMoney(
            model,
            { player: p, purchase, event: succeeded },
            { isLost: !isKept },
          );
        unbindPaying(model, purchase.id);
        await deliverEvents(database, failed, now(model));
      },
    ),
  );
  const books = fc.constant(
    step("what is paid and was lost is booked", (model) => bookPaid(database, model)),
  );
  return { pays, begins, ends, books };
}

interface Money {
  player: number;
  purchase: ReturnType<typeof singlePurchase>;
  event: ReturnType<typeof singlePurchase>["completed"];
}

/** Of those who went to pay and have not paid. */
function payers({ paying }: Model, n: number) {
  const open = paying.filter(({ status, paidAt, player }) => {
    return (status === "Held" || status === "Lapsed") && paidAt === null && player >= 0;
  });
  return open[n % Math.max(1, open.length)];
}
