import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { useErasure } from "#test/erasure.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";
import { aPlayer, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { answerTicket, deleteTickets, markTicket, sendMessage } from "./tickets.server.ts";
import { listInbox, findTicket } from "./inbox.server.ts";
import { markPaidBack, withdrawPurchase } from "./withdraw-purchase.server.ts";
import { listPurchases } from "./withdrawals.server.ts";

const scenario = useErasure();
let actor: string;
beforeAll(async () => {
  actor = await aPlayer(scenario.app.db, { name: "Olga" });
});

async function newest(kind: "message" | "withdrawal") {
  const filter = { kind, status: null };
  const { tickets } = await listInbox(scenario.app.db, { filter, after: null, limit: 1 });
  return tickets[0]!.id;
}
let minutes = 0;
const later = () => hoursLater((minutes += 1) / 60);

async function aMessage() {
  const { db, jobs } = scenario.app;
  const { userId } = await scenario.player({ credits: 0 });
  await sendMessage(db, jobs, { userId, subject: "Shoes", message: "Lost" }, later());
  return newest("message");
}

/** A player who has withdrawn from two purchases at the same instant. */
async function aWithdrawal() {
  const { db, jobs } = scenario.app;
  const writer = await scenario.player({ credits: 0 });
  const { userId } = writer;
  const packs = [singlePurchase(userId), singlePurchase(userId)];
  for (const { completed } of packs) await deliverEvents({ db, jobs }, completed);
  const now = later();
  for (const { paymentId } of await listPurchases(db, { userId, now })) {
    await withdrawPurchase(db, jobs, { userId, paymentId, now });
  }
  const ticket = await findTicket(db, await newest("withdrawal"));
  const pack = packs.find(({ id }) => id === ticket?.withdrawal?.stripeObjectId);
  return { writer, ticketId: ticket!.id, pack: pack! };
}

const mark = (ticketId: string, status: "open" | "done") =>
  markTicket(scenario.app.db, { ticketId, status, actor, seen: 0 });
const payBack = async (ticketId: string) =>
  (await markPaidBack(scenario.app.db, { ticketId, actor, now: NOW })).ok;
const read = async (ticketId: string) => (await findTicket(scenario.app.db, ticketId))!;
const entries = async (ticketId: string) => {
  const log = scenario.app.db.selectFrom("audit_log").select("action").orderBy("id");
  return (await log.where("subject", "=", ticketId).execute()).map(({ action }) => action);
};

test("a ticket is closed and reopened, each recorded once", async () => {
  const ticketId = await aMessage();
  for (const status of ["done", "open"] as const) {
    const outcomes = await Promise.all([mark(ticketId, status), mark(ticketId, status)]);
    expect(outcomes).toEqual([{ ok: true }, { ok: true }]);
    expect((await read(ticketId)).status).toBe(status);
  }
  expect(await entries(ticketId)).toEqual(["inbox.done", "inbox.open"]);
  expect(await mark(randomUUID(), "done")).toEqual({ ok: false, reason: "gone" });
});

describe("a withdrawal", () => {
  test("is done when it is paid back, and not before", async () => {
    const { ticketId } = await aWithdrawal();
    expect(await mark(ticketId, "done")).toEqual({ ok: false, reason: "not-paid-back" });
    expect(await payBack(ticketId)).toBe(true);
    const ticket = await read(ticketId);
    expect(ticket.status).toBe("done");
    expect(ticket.withdrawal?.paidBack?.at).toEqual(NOW);
    expect(ticket.withdrawal?.paidBack?.by).toMatch(/^Olga /);
    expect(ticket.withdrawal?.isFullyRefunded).toBe(false);
  });

  test("marked as paid back twice is recorded once and moves no credits", async () => {
    const { ticketId } = await aWithdrawal();
    const { auditEntries: _, ...before } = (await everything(scenario.app.db)) as Record<
      string,
      unknown
    >;
    expect(await Promise.all([payBack(ticketId), payBack(ticketId)])).toEqual([true, true]);
    expect(await everything(scenario.app.db)).toMatchObject(before);
    expect(await entries(ticketId)).toEqual(["inbox.paid-back"]);
  });

  test("that is reopened is not paid back", async () => {
    const { ticketId } = await aWithdrawal();
    await payBack(ticketId);
    expect(await mark(ticketId, "open")).toEqual({ ok: true });
    expect(await read(ticketId)).toMatchObject({ status: "open", withdrawal: { paidBack: null } });
  });

  test("shows the refund that Stripe reported, each its own", async () => {
    const { ticketId, pack } = await aWithdrawal();
    await deliverEvents(scenario.app, pack.refunded(999));
    expect((await read(ticketId)).withdrawal?.isFullyRefunded).toBe(true);
  });

  test("stays when the account is deleted, without what was answered", async () => {
    const { writer, ticketId } = await aWithdrawal();
    const text = { ticketId, answerId: randomUUID(), answer: "Hi Ada", seen: 0, actor, now: NOW };
    expect(await answerTicket(scenario.app.db, scenario.app.jobs, text)).toEqual({ ok: true });
    expect(await read(ticketId)).toMatchObject({ status: "open", thread: [{ text: "Hi Ada" }] });
    expect(await scenario.remove(writer, { deleteTickets })).toEqual({ ok: true });
    expect(await read(ticketId)).toMatchObject({ thread: [], writer: { isGone: true } });
    const again = { ...text, answerId: randomUUID() };
    const answered = await answerTicket(scenario.app.db, scenario.app.jobs, again);
    expect(answered).toEqual({ ok: false, reason: "gone" });
    expect(await payBack(ticketId)).toBe(true);
  });
});

test("only a withdrawal can be marked as paid back", async () => {
  expect(await payBack(await aMessage())).toBe(false);
  expect(await payBack("x")).toBe(false);
});
