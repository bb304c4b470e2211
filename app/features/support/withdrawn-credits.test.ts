import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { everyOrder, lotsOf, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import {
  aBuyer,
  aMonthlyPlayer,
  canWithdraw,
  reject,
  type Stated,
  takeBack,
  walletOf,
  withdraw,
} from "#test/withdrawals.ts";
import { aGame, everything, hoursLater, markDeleted, NOW } from "#test/fixtures.ts";
import type { NoticeData } from "#app/platform/notices.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { event } from "#app/routes/demo/stripe-objects.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { expireLots } from "#app/features/wallet/expire-lots.server.ts";
import { listEntries } from "#app/features/wallet/statement.server.ts";
import { deleteTickets, markTicket } from "./tickets.server.ts";
import { findTicket } from "./inbox.server.ts";
import { markPaidBack, withdrawPurchase } from "./withdraw-purchase.server.ts";
import { listPurchases, listWithdrawals } from "./withdrawals.server.ts";

const database = useDatabase();
const sent: Mail[] = [];
beforeAll(() => somePacks(database.db));
beforeEach(() => void sent.splice(0));
const TOO_LATE = { ok: false, reason: "too-late" };

async function join(playerId: string) {
  const gameId = await aGame(database.db);
  return joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
}
const states = async (userId: string) =>
  (await listWithdrawals(database.db, userId)).map(({ state }) => state);
/** Subjects and texts of the mails that are queued about an end. */
async function mailEnd(withdrawalId: string) {
  const mailer = async (mail: Mail) => void sent.push(mail);
  const jobs = mailJobs({ ...testApp(database), mailer });
  const { rows } = await database.pool.query<{ data: NoticeData["withdrawal-ended"] }>(
    `select data - 'kind' as data from pgboss.job
     where name = 'mail.send' and data->>'kind' = 'withdrawal-ended' and data->>'withdrawalId' = $1`,
    [withdrawalId],
  );
  for (const { data } of rows) await jobs["withdrawal-ended"](data);
  const contact = testApp(database).env.contactEmail;
  // In the thread of the receipt.
  const threads = sent.filter(({ to }) => to !== contact).map(({ thread }) => thread?.join());
  expect(threads.filter((thread) => !thread?.startsWith("withdrawal:"))).toEqual([]);
  const [toContact, toPlayer] = [true, false].map((isOurs) =>
    sent
      .filter(({ to }) => (to === contact) === isOurs)
      .map(({ subject, text }) => `${subject}: ${text.replace(/\s+/g, " ")}`),
  );
  return { toPlayer, toContact };
}

// spec: 9.40
test("credits of an open withdrawal cannot be spent", async () => {
  const userId = (await aBuyer(database)).userId;
  const [purchase] = await listPurchases(database.db, { userId, now: NOW });
  const statement = { userId, paymentId: purchase!.paymentId, now: NOW };
  expect(await withdrawPurchase(database.db, database.jobs, statement)).not.toBeNull();
  expect(await join(userId)).toMatchObject({ reason: "not-enough-credits" });
  expect(await walletOf(database, userId)).toEqual({ balanceCents: 0, debtCents: 0 });
});

describe("Stripe events after a withdrawal of 30 of 40 credits", () => {
  const none = { balanceCents: 0, debtCents: 0 };
  type Player = Awaited<ReturnType<typeof aMonthlyPlayer>>;
  test.each<[string, (player: Player) => Parameters<typeof deliverEvents>[1][], object]>([
    ["its refund, twice", (p) => [p.refunded(2_550), p.refunded(2_550)], none],
    ["its refund in parts", (p) => [p.refunded(100), p.refunded(2_000), p.refunded(2_550)], none],
    ["parts, the last first", (p) => [p.refunded(2_550), p.refunded(100)], none],
    ["more than it", (p) => [p.refunded(3_400)], { balanceCents: 0, debtCents: 1_000 }],
    ["a dispute instead", (p) => [p.disputed("lost")], { balanceCents: 0, debtCents: 1_000 }],
    ["a dispute that is won", (p) => [p.disputed("needs_response"), p.disputed("won")], none],
    [
      "its refund, which fails",
      (p) => [p.refunded(2_550), event("refund.failed", { id: "re_1", object: "refund" })],
      none,
    ],
  ])("%s", async (_, events, wallet) => {
    const player = await aMonthlyPlayer(database);
    await withdraw(database, player);
    for (const sent of events(player)) await deliverEvents(database, sent);
    expect(await walletOf(database, player.userId)).toEqual(wallet);
  });

  test("a refund reported before, and one in between", async () => {
    for (const order of everyOrder(["refund", "withdraw", "again"])) {
      const player = await aMonthlyPlayer(database);
      const refunds = [850, 3_400];
      for (const what of order) {
        if (what === "withdraw") await withdraw(database, player);
        else await deliverEvents(database, player.refunded(refunds.shift()!));
        await walletOf(database, player.userId);
      }
      // All of the money is back, and 10 credits were played.
      expect(await walletOf(database, player.userId)).toEqual({
        balanceCents: 0,
        debtCents: 1_000,
      });
    }
  });
});

describe("a withdrawal that is taken back", () => {
  // spec: 9.40
  test("restores its credits once, and can be stated again", async () => {
    const player = await aBuyer(database);
    const first = await withdraw(database, player);
    expect(await canWithdraw(database, player.userId)).toBe(false);
    for (let n = 0; n < 2; n += 1) expect(await takeBack(database, first!)).toEqual({ ok: true });
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 1_000, debtCents: 0 });
    expect(await states(player.userId)).toEqual(["taken-back"]);
    expect((await findTicket(database.db, first!.ticketId))?.status).toBe("done");
    const second = await withdraw(database, player);
    expect(second).not.toBeNull();
    await deliverEvents(database, player.pack.refunded(999));
    expect(await takeBack(database, second!)).toEqual(TOO_LATE);
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 0, debtCents: 0 });
    const notes = (await listEntries(database.db, { userId: player.userId, limit: 9 })).map(
      ({ type, note, amountCents }) => [type, note, amountCents],
    );
    const stated = ["withdrawal", "Withdrawal from a purchase", -1_000];
    expect(notes.slice(0, 3)).toEqual([
      stated,
      ["withdrawal", "Withdrawal taken back", 1_000],
      stated,
    ]);
  });

  test("is confirmed to the player and reported to the organiser", async () => {
    const stated = await withdraw(database, await aBuyer(database));
    await takeBack(database, stated!);
    const { toPlayer, toContact } = await mailEnd(stated!.withdrawalId);
    expect(toPlayer).toEqual([
      expect.stringMatching(/^You took your withdrawal back: Single game: .*No money is refunded/),
    ]);
    expect(toContact).toEqual([
      expect.stringMatching(/^Withdrawal taken back: do not refund 9\.99\u00a0€: /),
    ]);
  });

  test("loses its credits to a refund made anyway, spent ones as a debt", async () => {
    const player = await aBuyer(database);
    await takeBack(database, (await withdraw(database, player))!);
    await join(player.userId);
    await deliverEvents(database, player.pack.refunded(999));
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 0, debtCents: 1_000 });
  });

  test("restores nothing that a bank has taken back, until that is won", async () => {
    const player = await aBuyer(database);
    const stated = await withdraw(database, player);
    await deliverEvents(database, player.pack.disputed("needs_response"));
    expect(await takeBack(database, stated!)).toEqual({ ok: true });
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 0, debtCents: 0 });
    await deliverEvents(database, player.pack.disputed("won"));
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 1_000, debtCents: 0 });
  });

  test("settles what is owed for another payment first", async () => {
    const player = await aBuyer(database);
    const other = singlePurchase(player.userId);
    await join(player.userId);
    await deliverEvents(database, other.completed);
    const [purchase] = await listPurchases(database.db, { userId: player.userId, now: NOW });
    const stated = await withdraw(database, { ...player, ...purchase });
    await deliverEvents(database, player.pack.refunded(600));
    const debtCents = Math.floor(600_000 / 999);
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 0, debtCents });
    await takeBack(database, stated!);
    const balanceCents = 1_000 - debtCents;
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents, debtCents: 0 });
  });

  test("of a month that is over meanwhile can be spent for a week", async () => {
    const player = await aMonthlyPlayer(database);
    const stated = await withdraw(database, player);
    const later = hoursLater(40 * 24);
    await expireLots(database.db, later);
    expect(await takeBack(database, stated!, later)).toEqual({ ok: true });
    expect((await lotsOf(database.db, player.userId)).at(-1)).toEqual({
      source: "refund",
      remaining_eur: "30.00",
      expires_at: hoursLater(47 * 24),
    });
    await walletOf(database, player.userId);
  });
});

describe("a withdrawal that is declined", () => {
  // spec: 9.40
  test("gives its credits back, mails the reason and is on record, once", async () => {
    const player = await aBuyer(database);
    const stated = await withdraw(database, player);
    for (let n = 0; n < 2; n += 1) expect(await reject(database, stated!)).toEqual({ ok: true });
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 1_000, debtCents: 0 });
    expect(await listWithdrawals(database.db, player.userId)).toMatchObject([
      { state: "refused", rejectionReason: "Too late, sorry", canCancelWithdrawal: false },
    ]);
    const { toPlayer, toContact } = await mailEnd(stated!.withdrawalId);
    expect(toPlayer).toEqual([expect.stringContaining("Too late, sorry")]);
    expect(toContact).toEqual([
      expect.stringMatching(/^Withdrawal rejected: do not refund 9\.99\u00a0€: /),
    ]);
    const log = database.db.selectFrom("audit_log").select(["action", "details"]);
    expect(await log.where("subject", "=", stated!.ticketId).execute()).toEqual([
      {
        action: "inbox.refuse",
        details: { before: { status: "open" }, after: { status: "done" } },
      },
    ]);
    expect(await findTicket(database.db, stated!.ticketId)).toMatchObject({
      status: "done",
      withdrawal: { ended: { outcome: "refused", reason: "Too late, sorry" } },
    });
  });

  test("keeps its reason no longer than the account", async () => {
    const player = await aBuyer(database);
    await reject(database, (await withdraw(database, player))!);
    await database.db.transaction().execute((tx) => deleteTickets(tx, player.userId));
    expect(await listWithdrawals(database.db, player.userId)).toMatchObject([
      { state: "refused", rejectionReason: null },
    ]);
  });

  test("of a deleted account lets its credits lapse", async () => {
    const player = await aBuyer(database);
    const stated = await withdraw(database, player);
    await markDeleted(database.db, player.userId);
    expect(await reject(database, stated!)).toEqual({ ok: true });
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 0, debtCents: 0 });
    await deliverEvents(database, player.pack.refunded(999));
    expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 0, debtCents: 0 });
  });
});

describe("nothing is written when it is too late:", () => {
  type Ending = (player: Awaited<ReturnType<typeof aBuyer>>, stated: Stated) => Promise<unknown>;
  const ways: [string, Ending][] = [
    [
      "marked as paid back",
      ({ userId: actor }, { ticketId }) => markPaidBack(database.db, { ticketId, actor, now: NOW }),
    ],
    ["refunded in part", ({ pack }) => deliverEvents(database, pack.refunded(1))],
  ];
  test.each(ways)("%s", async (_, happen) => {
    const player = await aBuyer(database);
    const stated = (await withdraw(database, player))!;
    await happen(player, stated);
    const before = await everything(database.db);
    expect(await takeBack(database, stated)).toEqual(TOO_LATE);
    expect(await reject(database, stated)).toEqual(TOO_LATE);
    expect(await everything(database.db)).toEqual(before);
  });

  test("rejected", async () => {
    const stated = (await withdraw(database, await aBuyer(database)))!;
    await reject(database, stated);
    const before = await everything(database.db);
    expect(await takeBack(database, stated)).toEqual(TOO_LATE);
    const [ticketId, actor] = [stated.ticketId, stated.userId];
    const ended = { ok: false, reason: "ended" };
    expect(await markPaidBack(database.db, { ticketId, actor, now: NOW })).toEqual(ended);
    expect(await markTicket(database.db, { ticketId, actor, status: "open" })).toEqual(ended);
    expect(await everything(database.db)).toEqual(before);
  });

  test("another player's and an unknown withdrawal are not found", async () => {
    const stated = (await withdraw(database, await aBuyer(database)))!;
    const { userId } = await aBuyer(database);
    const notFound = { ok: false, reason: "not-found" };
    expect(await takeBack(database, { ...stated, userId })).toEqual(notFound);
    for (const id of ["", "x", "' or 1=1 --", crypto.randomUUID()]) {
      expect(await takeBack(database, { ...stated, withdrawalId: id })).toEqual(notFound);
      expect(await reject(database, { ...stated, ticketId: id })).toEqual(notFound);
    }
  });
});

test("a withdrawal from before the immediate debit ends under its old rules", async () => {
  const player = await aBuyer(database);
  const own = { user_id: player.userId, payment_id: player.paymentId, stated_at: NOW };
  await database.db
    .insertInto("withdrawals")
    .values({ ...own, credits_eur: "10", amount_eur: "9.99" })
    .execute();
  expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 1_000, debtCents: 0 });
  await deliverEvents(database, player.pack.refunded(999));
  expect(await walletOf(database, player.userId)).toEqual({ balanceCents: 0, debtCents: 0 });
  expect(await states(player.userId)).toEqual(["paid-back"]);
});
