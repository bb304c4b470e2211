import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { testApp } from "#test/app.ts";
import { type CuttingProxy, openCuttingProxy } from "#test/database-proxies.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { aFailedMail } from "#test/failed-mails.ts";
import { singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { textOf } from "#test/screen.tsx";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { ada, aGame, aPlayer, balanceCents, ben, bookingsOf, NOW } from "#test/fixtures.ts";
import { storeDefaults } from "../../db/defaults.ts";
import { addAccount, PASSWORD } from "#test/accounts.ts";
import { listAuditEntries } from "#app/features/audit/entries.server.ts";
import { addPartner } from "#app/features/partners/partners.server.ts";
import { type Database, openDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "./context.server.ts";
import { OUTCOME_UNKNOWN, OUTCOME_UNKNOWN_UNSAFE } from "#app/forms/messages.ts";
import { isLong } from "#test/long.ts";

/*
 * The site behind a proxy that breaks its connections to PostgreSQL at COMMIT. LONG=1 loses two
 * hundred answers to joins, and as many to events.
 */
vi.setConfig({ testTimeout: isLong ? 600_000 : 60_000 });
const database = useDatabase();
let proxy: CuttingProxy;
let far: Database;
let app: App;
let ask: AskSite;

beforeAll(async () => {
  proxy = await openCuttingProxy(database.connection);
  far = openDatabase(proxy.connection);
  app = { ...testApp(database, () => NOW), db: far.db };
  ask = await openSite(app);
  await somePacks(database.db);
  for (const level of ["error", "warn"] as const) {
    vi.spyOn(log, level).mockImplementation(() => {});
  }
});
afterEach(() => {
  proxy.fate = () => "passes";
  proxy.isClosed = false;
});
afterEach(() => expectRightBooks(database));
afterAll(async () => {
  await far.close();
  await proxy.close();
});

/** What is read on a page, without what its scripts carry. */
async function seen(response: Response): Promise<string> {
  const [, body = ""] = (await response.text()).split("<body");
  return textOf(body.replace(/<script[\s\S]*?<\/script>/g, ""));
}

type Fields = Record<string, string>;

/** The form of a page, with the key that it was rendered with; it can be sent as often as wanted. */
async function openForm(path: string, cookie: string, fields: Fields) {
  const html = await (await ask(path, { cookie })).text();
  const formKey = /name="formKey" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const body = new URLSearchParams({ formKey, ...fields });
  return { formKey, send: () => ask(path, { cookie, body }) };
}

async function aJoin(name = "Ada") {
  const [gameId, playerId] = [
    await aGame(database.db),
    await aPlayer(database.db, { name, credits: 20 }),
  ];
  const cookie = await signIn(app, playerId);
  const path = `/events/${gameId}`;
  const form = await openForm(path, cookie, { intent: "join", priceShown: "10" });
  const isJoined = async () => (await bookingsOf(database.db, gameId)).length === 1;
  const spent = async () => 2_000 - (await balanceCents(database.db, playerId));
  return { ...form, path, gameId, cookie, isJoined, spent };
}

const UNKNOWN = "We could not check whether that worked";
const FAILED = "Failed to join game. Please try again.";

// spec: 8.19
test("a join whose answer to COMMIT is lost is shown as joined, and its repeat too", async () => {
  const { send, path, formKey, gameId, spent } = await aJoin();
  proxy.breakNext("cut-after");
  for (const response of [await send(), await send()]) {
    expect([response.status, response.headers.get("Location")]).toEqual([302, `${path}/joined`]);
    expect(response.headers.get("Set-Cookie")).toContain("toast=");
  }
  expect(await bookingsOf(database.db, gameId)).toMatchObject([{ id: formKey }]);
  expect(await spent()).toBe(1_000);
});

// spec: 8.18
test("a join whose COMMIT never arrived is shown as failed, and can be sent again", async () => {
  const { send, isJoined, spent } = await aJoin();
  proxy.breakNext("cut-before");
  const response = await send();
  expect(response.status).toBeGreaterThanOrEqual(500);
  expect(await seen(response)).toContain(FAILED);
  expect(await isJoined()).toBe(false);
  expect((await send()).status).toBe(302);
  expect(await spent()).toBe(1_000);
});

test("where nobody can say what became of it the page says so, and sending it again is safe", async () => {
  const [page, inApp] = [await aJoin(), await aJoin()];
  const away = () => (proxy.isClosed = true);
  proxy.fate = () => {
    away();
    return "cut-after";
  };
  const body = new URLSearchParams({ intent: "join", formKey: inApp.formKey });
  const [response, data] = await Promise.all([
    page.send(),
    ask(`${inApp.path}.data`, { cookie: inApp.cookie, body }),
  ]);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "10"]);
  expect(data.status).toBe(503);
  for (const text of [await seen(response), await data.text()]) {
    expect(text).toContain(UNKNOWN);
    expect(text).not.toContain(FAILED);
  }
  proxy.isClosed = false;
  proxy.fate = () => "passes";
  for (const { send, isJoined, spent } of [page, inApp]) {
    expect((await send()).status).toBe(302);
    expect([await isJoined(), await spent()]).toEqual([true, 1_000]);
  }
});

test("forms that nobody can say the outcome of claim no failure, and call a repeat safe only where it is", async () => {
  await storeDefaults(database.db, app.env);
  const kind = "booking-confirmed";
  const lost = { kind, data: { bookingId: randomUUID() }, queuedAt: NOW } as const;
  const [mailId, { cookie }] = [await aFailedMail(database.db, lost), await anAdmin(app)];
  const [{ userId }, { email }] = [await addAccount(app), await addAccount(app)];
  const player = await signIn(app, userId);
  const partnerId = randomUUID();
  await addPartner(database.db, { id: partnerId, name: "Bikes" });
  const passwords = { newPassword: "Kickabout22", confirmPassword: "Kickabout22" };
  const forms: [string, string, Fields, { description: string }][] = [
    ["/admin/legal/terms", cookie, { intent: "save", ...TERMS }, OUTCOME_UNKNOWN],
    ["/admin/inbox/mail", cookie, { intent: "remove", mailId }, OUTCOME_UNKNOWN_UNSAFE],
    ["/admin/partners/new", cookie, PARTNER, OUTCOME_UNKNOWN],
    [`/admin/partners/${partnerId}`, cookie, { intent: "remove" }, OUTCOME_UNKNOWN_UNSAFE],
    [
      ...(["/settings/change-password", player] as const),
      { currentPassword: PASSWORD, ...passwords },
      OUTCOME_UNKNOWN_UNSAFE,
    ],
    ["/auth/forgot", "", { email }, OUTCOME_UNKNOWN_UNSAFE],
  ];
  proxy.fate = () => "stuck";
  const posts = forms.map(async ([path, cookie, fields, { description }]) => {
    const response = await ask(path, { cookie, body: new URLSearchParams(fields) });
    const text = await seen(response);
    expect([path, response.status]).toEqual([path, 503]);
    for (const words of [UNKNOWN, description]) expect(text).toContain(words);
    expect(text).not.toContain("Failed");
  });
  await Promise.all(posts);
});

const TERMS = { title: "Terms", content: "## Cancelling\n\nPlay.", version: "1" };
const PARTNER = {
  intent: "save",
  name: "Gym",
  websiteUrl: "",
  sortOrder: "1",
  partnerId: randomUUID(),
};

test("a partner whose answer to COMMIT is lost is added once, and its repeat shows the same", async () => {
  const { cookie } = await anAdmin(app);
  const partnerId = randomUUID();
  const { send } = await openForm("/admin/partners/new", cookie, { ...PARTNER, partnerId });
  proxy.breakNext("cut-after");
  const to = [(await send()).headers.get("Location"), (await send()).headers.get("Location")];
  expect(to).toEqual(Array(2).fill(`/admin/partners/${partnerId}`));
  expect(
    await listAuditEntries(database.db, {
      filter: { actor: null, action: null, subject: partnerId },
      before: null,
      limit: 9,
    }),
  ).toHaveLength(1);
});

test("an organiser's correction whose answer to COMMIT is lost is booked once", async () => {
  const { cookie } = await anAdmin(app);
  const playerId = await ben(database.db);
  const fields = { intent: "correct-balance", direction: "give", amount: "5", reason: "Lost ball" };
  const { send } = await openForm(`/admin/players/${playerId}`, cookie, fields);
  proxy.breakNext("cut-after");
  expect([(await send()).status, (await send()).status]).toEqual([302, 302]);
  expect(await balanceCents(database.db, playerId)).toBe(500);
});

test("a game that is called off while the connection breaks is called off once", async () => {
  const { cookie } = await anAdmin(app);
  const { send: join, gameId, spent } = await aJoin();
  await join();
  const { send } = await openForm(`/admin/games/${gameId}`, cookie, { intent: "cancel" });
  proxy.breakNext("cut-after");
  expect([(await send()).status, (await send()).status]).toEqual([302, 302]);
  expect(await spent()).toBe(0);
});

test("a join that failed is not shown beside a seat that another form has taken", async () => {
  const { path, cookie, send } = await aJoin();
  const late = await openForm(path, cookie, { intent: "join", priceShown: "ten" });
  await send();
  const page = await seen(await late.send());
  expect(page).toContain("You're attending this game!");
  expect(page).not.toContain("Failed to join");
});

test("whatever breaks, a client that sends again books once, and hears of no failure that was none", async () => {
  const joins = await Promise.all(Array.from({ length: isLong ? 300 : 4 }, () => aJoin()));
  const before = proxy.cuts;
  proxy.fate = breakMost();
  const left = joins.values();
  const lane = async () => {
    for (const { send, isJoined } of left) {
      let response = await send();
      while (response.status !== 302) {
        expect(await seen(response)).toContain(FAILED);
        expect(await isJoined()).toBe(false);
        response = await send();
      }
    }
  };
  // No more at once than have a connection each: too many would hear that the site is busy.
  await Promise.all(Array.from({ length: 6 }, lane));
  expect(proxy.cuts - before).toBeGreaterThanOrEqual(joins.length - 1);
  for (const { gameId, formKey, spent } of joins) {
    expect(await bookingsOf(database.db, gameId)).toMatchObject([{ id: formKey }]);
    expect(await spent()).toBe(1_000);
  }
  const mails = await database.pool.query(
    "select count(*) from pgboss.job where name = 'mail.send' and data->>'kind' = 'booking-confirmed' and data->>'bookingId' = any($1)",
    [joins.map(({ formKey }) => formKey)],
  );
  expect(mails.rows[0].count).toBe(joins.length);
});

/** Loses the answers of two of four; one never arrives and one passes. */
function breakMost() {
  let count = 0;
  return () => (["cut-after", "cut-before", "cut-after", "passes"] as const)[count++ % 4]!;
}

test("Stripe's events that are sent again after a break are paid once", async () => {
  const playerId = await ada(database.db);
  const events = Array.from({ length: isLong ? 300 : 4 }, () => singlePurchase(playerId).completed);
  proxy.fate = breakMost();
  for (const event of events) {
    // What Stripe does with an answer of 5xx.
    while (!(await deliverEvents({ db: far.db, jobs: database.jobs }, event).catch(() => null)));
  }
  proxy.fate = () => "passes";
  expect(await balanceCents(database.db, playerId)).toBe(10_000 + events.length * 1_000);
});
