import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { aPlayer, balanceCents, hoursLater, NOW } from "#test/fixtures.ts";
import { leaveReview, sendMessage } from "#app/features/support/tickets.server.ts";
import {
  countPendingWithdrawals,
  listPurchases,
} from "#app/features/support/withdrawals.server.ts";
import { withdrawPurchase } from "#app/features/support/withdraw-purchase.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
let cookie: string;
let ada: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
  cookie = (await anAdmin(app)).cookie;
  ask = await openSite(app);
});

beforeEach(async () => {
  await database.pool.query("truncate support_messages, reviews, withdrawals cascade");
  ada = await aPlayer(app.db, { name: "Ada" });
});

async function aMessage() {
  const message = { userId: ada, subject: "Shoes", message: "Lost" };
  await sendMessage(app.db, app.jobs, message, NOW);
  const tickets = app.db.selectFrom("support_messages").select("id").where("user_id", "=", ada);
  return `/admin/inbox/${(await tickets.executeTakeFirstOrThrow()).id}`;
}

async function aWithdrawal() {
  await deliverEvents(app, singlePurchase(ada).completed);
  const [purchase] = await listPurchases(app.db, { userId: ada, now: NOW });
  const statement = { userId: ada, paymentId: purchase!.paymentId, now: NOW };
  await withdrawPurchase(app.db, app.jobs, statement);
  const tickets = app.db.selectFrom("support_messages").select("id").where("user_id", "=", ada);
  return `/admin/inbox/${(await tickets.executeTakeFirstOrThrow()).id}`;
}

const open = async (path: string) => (await ask(path, { cookie })).text();
const mainOf = (html: string) => html.split("<main")[1]!.replace(/<!-- -->/g, "");

/** Posts a form of the page with its hidden fields, as a browser without JavaScript does. */
async function post(path: string, intent: string, fields: Record<string, string> = {}) {
  const html = mainOf(await open(path));
  expect(html).toContain(`name="intent" value="${intent}"`);
  const hidden = html.matchAll(/type="hidden"[^>]* name="(answerId|seen)" value="([^"]*)"/g);
  const body = { ...Object.fromEntries(Array.from(hidden, ([, ...pair]) => pair)), intent };
  const send = () => ask(path, { cookie, body: new URLSearchParams({ ...body, ...fields }) });
  return { send, response: await send() };
}

const landsOn = (response: Response) => [response.status, response.headers.get("Location")];
const countJobs = async () =>
  (
    await database.pool.query(
      "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'answer'",
    )
  ).rowCount;

test("the list leads to each ticket, and the tab counts what is open", async () => {
  const path = await aMessage();
  await leaveReview(app.db, app.jobs, { userId: ada, rating: 5, comment: null }, NOW);
  const html = mainOf(await open("/admin/inbox"));
  expect(html).toContain(`href="${path}"`);
  expect(html).toContain("5 of 5: Superb");
  expect(html).toMatch(/Inbox<span[^>]*>2 <span class="sr-only">open<\/span>/);
  await post(path, "done");
  expect(mainOf(await open("/admin/inbox"))).not.toContain(`href="${path}"`);
  expect(mainOf(await open("/admin/inbox?status=all&kind=message"))).toContain(`href="${path}"`);
});

test("the list is empty where nothing is open or matches, and there is no badge", async () => {
  const html = mainOf(await open("/admin/inbox"));
  expect(html).toContain("Nothing is open. Everybody has been answered.");
  expect(html).not.toContain('<span class="sr-only">open');
  expect(await open("/admin/inbox?status=done")).toContain("No messages match this filter.");
});

test("a hundred open tickets are 99+", async () => {
  await database.pool.query(
    `insert into reviews (user_id, rating) select $1, 5 from generate_series(1, 100)`,
    [ada],
  );
  expect(mainOf(await open("/admin/inbox"))).toMatch(/>99\+ </);
});

describe("an answer", () => {
  test("is sent once, however often its form is", async () => {
    const path = await aMessage();
    const before = await countJobs();
    const { send, response } = await post(path, "answer", { answer: "In the hall" });
    for (const each of [response, await send()]) expect(landsOn(each)).toEqual([302, path]);
    expect(await countJobs()).toBe(before! + 1);
    const html = mainOf(await open(path));
    expect(html).toContain("In the hall");
    expect(html).toContain("Another answer");
    expect(html).toContain(`href="/admin/players/${ada}"`);
  });

  test("that is empty fails", async () => {
    const { response } = await post(await aMessage(), "answer", { answer: " " });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("Answer is required");
  });

  test("that somebody else was faster with stays in the form and can follow", async () => {
    const path = await aMessage();
    const mine = await post(path, "done");
    expect(mine.response.status).toBe(302);
    const first = await post(path, "answer", { answer: "Mine", seen: "0" });
    expect(first.response.status).toBe(302);
    const theirs = { answer: "Yours too", seen: "0", answerId: randomUUID() };
    const { response } = await post(path, "answer", theirs);
    expect(response.status).toBe(409);
    const html = mainOf(await response.text());
    expect(html).toContain("Somebody else has answered meanwhile.");
    expect(html).toMatch(/<textarea[^>]*>Yours too</);
    expect(html).toContain("Mine");
    expect(landsOn((await post(path, "answer", { answer: "Yours too" })).response)[0]).toBe(302);
  });

  test("that cannot be stored stays in the form", async () => {
    const path = await aMessage();
    await database.pool.query("alter table letter_answers rename column answer to away");
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const body = {
      intent: "answer",
      answer: "Thanks for asking",
      seen: "0",
      answerId: randomUUID(),
    };
    const response = await ask(`${path}.data`, { cookie, body: new URLSearchParams(body) });
    await database.pool.query("alter table letter_answers rename column away to answer");
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("Thanks for asking");
    expect(logged).toHaveBeenCalled();
    logged.mockRestore();
  });
});

/** The state of the only ticket, the same in the list and on its page. */
async function badge() {
  const list = mainOf(await open("/admin/inbox?status=all"));
  const [, path] = /href="(\/admin\/inbox\/[0-9a-f-]{36})"/.exec(list)!;
  const states = [list, mainOf(await open(path!))].map(
    (html) => />Withdrawal<\/span> ?<span[^>]*>([^<]*)</.exec(html)?.[1],
  );
  expect(states[0]).toBe(states[1]);
  return states[0];
}

test("a withdrawal shows what to refund, and is marked when that is done", async () => {
  const path = await aWithdrawal();
  const html = mainOf(await open(path));
  expect(html).toContain("9.99\u00a0€");
  expect(html).toContain("10 credits unused");
  expect(html).toContain("Refund 9.99\u00a0€ of this payment at Stripe within 14 days.");
  expect(html).not.toContain("Mark as done");
  expect(await badge()).toBe("Refund due in 14 days");
  expect(html).toContain("Dec 5, 2026, due in 14 days");
  expect(html).not.toContain("Open at Stripe");
  const hasty = await post(path, "paid-back");
  expect(hasty.response.status).toBe(422);
  expect(await hasty.response.text()).toContain("Refund it at Stripe first, then tick the box.");
  const { response } = await post(path, "paid-back", { refunded: "on" });
  expect(landsOn(response)).toEqual([302, path]);
  const paid = mainOf(await open(path));
  expect(paid).toMatch(/<h3[^>]*>Refunded</);
  expect(paid).not.toContain("Refund 9.99\u00a0€");
  expect(await badge()).toBe("Refunded");
  expect(landsOn((await post(path, "open")).response)).toEqual([302, path]);
  expect(mainOf(await open(path))).toContain("Mark as refunded");
});

test("a withdrawal that waits too long is overdue, and leads to its payment at Stripe", async () => {
  const path = await aWithdrawal();
  const env = { ...app.env, stripeSecretKey: "sk_live_1" };
  const later = { ...app, env, now: () => hoursLater(15 * 24) };
  const site = await openSite(later);
  const at = { cookie: (await anAdmin(later)).cookie };
  const html = mainOf(await (await site(path, at)).text());
  expect(html).toContain("Refund 1 day overdue");
  expect(html).toMatch(/href="https:\/\/dashboard\.stripe\.com\/payments\/pi_[^"]+"/);
  expect(mainOf(await (await site("/admin/inbox", at)).text())).toContain("Refund 1 day overdue");
  const due = await countPendingWithdrawals(app.db, hoursLater(15 * 24));
  expect(due).toEqual({ count: 1, next: { dueOn: "2026-12-05", daysLeft: -1 } });
  await post(path, "paid-back", { refunded: "on" });
  expect(await countPendingWithdrawals(app.db, NOW)).toEqual({ count: 0, next: null });
});

test("a withdrawal that Stripe has refunded is not due, though nobody has marked it", async () => {
  await aWithdrawal();
  expect((await countPendingWithdrawals(app.db, NOW)).count).toBe(1);
  await database.pool.query("update payments set refunded_eur = amount_eur where user_id = $1", [
    ada,
  ]);
  expect(await countPendingWithdrawals(app.db, NOW)).toEqual({ count: 0, next: null });
});

describe("a withdrawal that is declined", () => {
  test("needs a reason, gives the credits back and asks for nothing more", async () => {
    const path = await aWithdrawal();
    const empty = await post(path, "reject", { reason: " " });
    expect(empty.response.status).toBe(422);
    expect(await empty.response.text()).toContain("Reason is required");
    const { send, response } = await post(path, "reject", { reason: "Played <b>already</b>" });
    for (const each of [response, await send()]) expect(landsOn(each)).toEqual([302, path]);
    const html = mainOf(await open(path));
    for (const words of ["No refund due", "Played &lt;b&gt;already", "Do not refund"]) {
      expect(html).toContain(words);
    }
    expect(html).not.toContain("Refund 9.99\u00a0€");
    expect(await badge()).toBe("Rejected");
    for (const intent of ["reject", "paid-back", "open", "done"]) {
      expect(html).not.toContain(`name="intent" value="${intent}"`);
    }
    expect(await balanceCents(app.db, ada)).toBe(1_000);
    const log = mainOf(await open("/admin/log"));
    expect(log).toContain("rejected a withdrawal");
    expect(log).toMatch(
      new RegExp(`<a[^>]*href="${path}"[^>]*>the withdrawal of Ada \\w+, 9.99\u00a0€<`),
    );
  });

  test("that fails says so in its own form, with the reason kept", async () => {
    const path = await aWithdrawal();
    await database.pool.query(
      "alter table withdrawals add constraint broken check (outcome is null)",
    );
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const { response } = await post(path, "reject", { reason: "Played already" });
    await database.pool.query("alter table withdrawals drop constraint broken");
    expect(response.status).toBe(500);
    const [, form] = />Reject<\/h3>(.*?)<\/section>/s.exec(await response.text())!;
    expect(form).toMatch(/<textarea[^>]*>Played already</);
    expect(form).toContain("Failed to reject withdrawal");
    logged.mockRestore();
  });

  test("is neither refunded nor reopened", async () => {
    const path = await aWithdrawal();
    const late = await ask(path, {
      cookie,
      body: new URLSearchParams({ intent: "reject", reason: "No" }),
    });
    expect(late.status).toBe(302);
    const paid = new URLSearchParams({ intent: "paid-back", refunded: "on" });
    expect((await ask(path, { cookie, body: paid })).status).toBe(409);
    expect(
      (await ask(path, { cookie, body: new URLSearchParams({ intent: "open" }) })).status,
    ).toBe(409);
  });

  test("fails where it is refunded already", async () => {
    const path = await aWithdrawal();
    await post(path, "paid-back", { refunded: "on" });
    const body = new URLSearchParams({ intent: "reject", reason: "No" });
    const response = await ask(path, { cookie, body });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("is refunded or was taken back already");
  });
});

test.each([
  [{}, 400],
  [{ intent: "burn" }, 400],
  [{ intent: "answer", answer: "Hi", seen: "x", answerId: "x" }, 400],
  [{ intent: "answer", answer: "x".repeat(5_001) }, 422],
  [{ intent: "paid-back", refunded: "on" }, 409],
  [{ intent: "reject", reason: "No" }, 409],
  [{ intent: "reject", reason: "x".repeat(1_001) }, 422],
])("rejects a form that is wrong or unknown %#", async (fields, status) => {
  const body = new URLSearchParams(fields as Record<string, string>);
  expect((await ask(await aMessage(), { cookie, body })).status).toBe(status);
});

test.each(["x", randomUUID()])("there is no ticket %s", async (id) => {
  expect((await ask(`/admin/inbox/${id}`, { cookie })).status).toBe(404);
  const body = new URLSearchParams({ intent: "done", seen: "0" });
  expect((await ask(`/admin/inbox/${id}`, { cookie, body })).status).toBe(409);
});
