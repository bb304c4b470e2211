import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { writeCursor } from "#app/platform/cursor.server.ts";
import { answerTicket, leaveReview, sendMessage } from "./tickets.server.ts";
import { type InboxFilter, parseInboxFilter } from "./rules.ts";
import { countOpenTickets, listInbox, findTicket } from "./inbox.server.ts";
import { listPurchases } from "./withdrawals.server.ts";
import { withdrawPurchase } from "./withdraw-purchase.server.ts";

const database = useDatabase();
let ada: string;
beforeAll(async () => {
  await somePacks(database.db);
  ada = await aPlayer(database.db, { name: "Ada" });
  await deliverEvents(database, singlePurchase(ada).completed);
  const { db, jobs } = database;
  const review = { userId: ada, rating: 4, comment: "Good lights" };
  await leaveReview(db, jobs, review, hoursLater(-2));
  const [purchase] = await listPurchases(db, { userId: ada, now: NOW });
  const statement = { userId: ada, paymentId: purchase!.paymentId, now: hoursLater(-1) };
  await withdrawPurchase(db, jobs, statement);
  // Two at the same instant have an order too.
  for (const subject of ["Shoes", "Gloves"]) {
    await sendMessage(db, jobs, { userId: ada, subject, message: "Lost" }, NOW);
  }
});

const list = (filter: Partial<InboxFilter> = {}, after: string | null = null, limit = 50) =>
  listInbox(database.db, { filter: { kind: null, status: null, ...filter }, after, limit });

test("all kinds in one list, the newest first", async () => {
  const { tickets, next } = await list();
  expect(tickets.map(({ kind }) => kind)).toEqual(["message", "message", "withdrawal", "review"]);
  expect(tickets[2]).toMatchObject({ subject: "Withdrawal: Single game, 9.99\u00a0€" });
  expect(tickets[3]).toMatchObject({ rating: 4, text: "Good lights", isAnswered: false });
  expect(tickets.map(({ withdrawalState }) => withdrawalState)).toEqual([
    ...[null, null, "waiting", null],
  ]);
  expect(tickets[3]).toMatchObject({ at: hoursLater(-2), status: "open" });
  expect(next).toBeNull();
});

test.each([1, 2, 3])("in pages of %i nothing is missed and nothing comes twice", async (limit) => {
  const all = (await list()).tickets.map(({ id }) => id);
  const read: string[] = [];
  let after: string | null = null;
  do {
    const page = await list({}, after, limit);
    read.push(...page.tickets.map(({ id }) => id));
    after = page.next;
  } while (after);
  expect(read).toEqual(all);
});

test.each([
  [{ kind: "review" }, 1],
  [{ kind: "withdrawal", status: "open" }, 1],
  [{ kind: "message", status: "open" }, 2],
  [{ status: "done" }, 0],
] as const)("%j", async (filter, count) => {
  expect((await list(filter)).tickets).toHaveLength(count);
});

test.each(["x", writeCursor(["1"]), writeCursor(["x", randomUUID()]), writeCursor(["1", "x"])])(
  "a place that is none (%j) is the start",
  async (after) => {
    expect((await list({}, after)).tickets).toHaveLength(4);
  },
);

test("the URL sets the filter, open tickets by default", () => {
  const read = (query: string) => parseInboxFilter(new URLSearchParams(query));
  expect(read("")).toEqual({ kind: null, status: "open" });
  expect(read("kind=review&status=all")).toEqual({ kind: "review", status: null });
  expect(read("kind=x&status=done")).toEqual({ kind: null, status: "done" });
  expect(read("status=x")).toEqual({ kind: null, status: "open" });
});

test("open tickets are counted per kind up to a limit", async () => {
  expect(await countOpenTickets(database.db, 100)).toEqual({
    ...{ message: 2, report: 0, review: 1, withdrawal: 1 },
  });
  expect(await countOpenTickets(database.db, 1)).toMatchObject({ message: 1, review: 1 });
});

test("a ticket's own page has its full text", async () => {
  const { tickets } = await list();
  const [message, , withdrawal, review] = await Promise.all(
    tickets.map(({ id }) => findTicket(database.db, id)),
  );
  expect(message).toMatchObject({ text: "Lost", writer: { id: ada, isGone: false } });
  expect(message?.withdrawal).toBeNull();
  expect(review).toMatchObject({ kind: "review", rating: 4, text: "Good lights" });
  expect(withdrawal?.withdrawal).toMatchObject({
    refundCents: 999,
    creditsCents: 1_000,
    packName: "Single game",
    paidBack: null,
    isFullyRefunded: false,
  });
  expect(await findTicket(database.db, randomUUID())).toBeNull();
  expect(await findTicket(database.db, "x")).toBeNull();
});

test("an answered ticket is marked in the list", async () => {
  const actor = await aPlayer(database.db, { name: "Olga" });
  const { id: ticketId } = (await list({ kind: "review" })).tickets[0]!;
  const reply = { ticketId, answerId: randomUUID(), answer: "Thanks", seen: 0, actor, now: NOW };
  expect(await answerTicket(database.db, database.jobs, reply)).toEqual({ ok: true });
  const [review] = (await list({ kind: "review", status: "done" })).tickets;
  expect(review).toMatchObject({ id: ticketId, isAnswered: true });
});
