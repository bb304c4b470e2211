import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { monthlyPurchase, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { aBuyer, aMonthlyPlayer, takeBack, withdraw as statedBy } from "#test/withdrawals.ts";
import { aGame, balanceCents, ben, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { listPurchases, listWithdrawals } from "./withdrawals.server.ts";
import { withdrawPurchase } from "./withdraw-purchase.server.ts";

const database = useDatabase(12);
const sent: Mail[] = [];
beforeAll(() => somePacks(database.db));
beforeEach(() => void sent.splice(0));

/** A player who bought a single game now. */
async function buyer() {
  const userId = await ben(database.db);
  const pack = singlePurchase(userId);
  await deliverEvents(database, pack.completed);
  return { userId, pack, paymentId: await paymentOf(pack.id) };
}
async function paymentOf(stripeObjectId: string, at = NOW): Promise<string> {
  const { id } = await database.db
    .updateTable("payments")
    .set({ created_at: at })
    .where("stripe_object_id", "=", stripeObjectId)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
const withdraw = (userId: string, paymentId: string, now = NOW) =>
  withdrawPurchase(database.db, database.jobs, { userId, paymentId, now });
const purchases = (userId: string, now = NOW) => listPurchases(database.db, { userId, now });

/** All that a withdrawal may touch. */
async function state() {
  const kept = await database.db.selectFrom("withdrawals").selectAll().orderBy("id").execute();
  const inbox = await database.db
    .selectFrom("support_messages")
    .selectAll()
    .orderBy("id")
    .execute();
  return [await everything(database.db), kept, inbox];
}

describe("a purchase", () => {
  test("is listed with what is unused and what it gives back", async () => {
    const { userId, paymentId } = await buyer();
    expect(await purchases(userId)).toMatchObject([
      {
        paymentId,
        packName: "Single game",
        amountCents: 999,
        unusedCents: 1_000,
        refundCents: 999,
        // Bought on a Saturday: the fourteenth day is one too.
        lastDay: "2026-12-07",
        isMonthly: false,
      },
    ]);
  });

  test("until the end of its last day in Helsinki, and no longer", async () => {
    const { userId } = await buyer();
    expect(await purchases(userId, new Date("2026-12-07T21:59:00Z"))).toHaveLength(1);
    expect(await purchases(userId, new Date("2026-12-07T22:00:00Z"))).toEqual([]);
  });

  test("that is used up is not listed, a partly used one is", async () => {
    const single = await buyer();
    const gameId = await aGame(database.db);
    await joinGame(database.db, database.jobs, { gameId, playerId: single.userId, now: NOW });
    expect(await purchases(single.userId)).toEqual([]);
    const userId = await ben(database.db);
    const plan = monthlyPurchase(userId);
    await deliverEvents(database, [plan.completed, plan.created, plan.paid(0)]);
    await paymentOf(plan.invoiceId(0));
    await joinGame(database.db, database.jobs, { gameId, playerId: userId, now: NOW });
    expect(await purchases(userId)).toMatchObject([
      { unusedCents: 3_000, refundCents: 2_550, isMonthly: true },
    ]);
  });

  test("of another player is never listed", async () => {
    await buyer();
    expect(await purchases(await ben(database.db))).toEqual([]);
  });
});

describe("withdrawing", () => {
  test("stores the statement, notifies the organiser and takes the credits once", async () => {
    const { userId, paymentId, pack } = await buyer();
    expect(await withdraw(userId, paymentId)).toMatchObject({ refundCents: 999 });
    expect(await listWithdrawals(database.db, userId)).toMatchObject([
      { creditsCents: 1_000, refundCents: 999, statedAt: NOW, state: "waiting" },
    ]);
    const inbox = database.db.selectFrom("support_messages").selectAll();
    expect(await inbox.where("user_id", "=", userId).execute()).toMatchObject([
      {
        kind: "withdrawal",
        status: "open",
        subject: "Withdrawal: Single game, 9.99\u00a0€",
        message: [
          "The player withdrew from a purchase on Nov 21, 2026, 12:00.",
          `Purchase: Single game, 9.99\u00a0€`,
          "Unused: 10 credits",
        ].join("\n"),
      },
    ]);
    expect(await balanceCents(database.db, userId)).toBe(0);
    await deliverEvents(database, pack.refunded(999));
    expect(await balanceCents(database.db, userId)).toBe(0);
    expect(await listWithdrawals(database.db, userId)).toMatchObject([{ state: "paid-back" }]);
    expect((await checkBooks(database.db)).differences).toEqual([]);
  });

  test("the refund of what a used purchase gives back leaves no debt and takes no other credits", async () => {
    const userId = await ben(database.db);
    const plan = monthlyPurchase(userId);
    await deliverEvents(database, [plan.completed, plan.created, plan.paid(0)]);
    const paymentId = await paymentOf(plan.invoiceId(0));
    const gameId = await aGame(database.db);
    await joinGame(database.db, database.jobs, { gameId, playerId: userId, now: NOW });
    const withdrawn = await withdraw(userId, paymentId);
    const used = { amountCents: 3_400, creditsCents: 4_000 };
    const takenCents = Math.floor((used.creditsCents * withdrawn!.refundCents) / used.amountCents);
    expect(takenCents).toBe(withdrawn?.unusedCents);
  });

  test("is acknowledged by email at once, with the statement and its time", async () => {
    const { userId, paymentId, pack } = await buyer();
    await withdraw(userId, paymentId);
    const mailer = async (mail: Mail) => void sent.push(mail);
    const jobs = mailJobs({ ...testApp(database), mailer });
    const { id } = await database.db
      .selectFrom("withdrawals")
      .select("id")
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    for (let n = 0; n < 2; n += 1) await jobs["withdrawal"]({ withdrawalId: id });
    expect(sent[0]).toEqual(sent[1]);
    expect(sent[0]?.to).toMatch(/^ben\d+@uni\.example$/);
    for (const words of ["Nov 21, 2026, 12:00", pack.id, "10 credits were unused", "9.99 €"]) {
      expect(sent[0]?.text.replace(/\s+/g, " ")).toContain(words);
    }
  });

  test("is emailed to the organiser with the refund, while it is open", async () => {
    const mailer = async (mail: Mail) => void sent.push(mail);
    const jobs = mailJobs({ ...testApp(database), mailer });
    const stated = await statedBy(database, await aBuyer(database));
    const mail = () => jobs["support-message"]({ messageId: stated!.ticketId });
    await mail();
    await takeBack(database, stated!);
    await mail();
    const [open, ended] = sent.map(({ text }) => text.replace(/\s+/g, " "));
    expect(open).toContain("Refund 9.99 € of this payment at Stripe within 14 days.");
    expect(open).toMatch(/Payment number: cs_\w+ Refund/);
    expect(ended).not.toContain("Refund");
  });

  test("ten at once make one", async () => {
    const { userId, paymentId } = await buyer();
    const results = await Promise.all(
      Array.from({ length: 10 }, () => withdraw(userId, paymentId)),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await listWithdrawals(database.db, userId)).toHaveLength(1);
  });

  test("a second time fails, even after a cancelled game refunded its credits", async () => {
    const { userId, paymentId, bookingId } = await aMonthlyPlayer(database);
    expect(await withdraw(userId, paymentId)).toMatchObject({ unusedCents: 3_000 });
    const cancellation = { bookingId, playerId: userId, now: NOW };
    expect(await cancelBooking(database.db, database.jobs, cancellation)).toMatchObject({
      ok: true,
    });
    expect(await balanceCents(database.db, userId)).toBe(901);
    const before = await everything(database.db);
    expect(await purchases(userId)).toEqual([]);
    expect(await withdraw(userId, paymentId)).toBeNull();
    expect(await everything(database.db)).toEqual(before);
  });

  test("from another player's, a used, late, withdrawn or unknown purchase writes nothing", async () => {
    const [own, other, withdrawn] = [await buyer(), await buyer(), await buyer()];
    await withdraw(withdrawn.userId, withdrawn.paymentId);
    const before = await state();
    expect(await withdraw(own.userId, other.paymentId)).toBeNull();
    expect(await withdraw(own.userId, own.paymentId, hoursLater(24 * 20))).toBeNull();
    expect(await withdraw(withdrawn.userId, withdrawn.paymentId)).toBeNull();
    for (const id of ["", "no id", "' or 1=1 --", crypto.randomUUID()]) {
      expect(await withdraw(own.userId, id)).toBeNull();
    }
    expect(await state()).toEqual(before);
  });
});
