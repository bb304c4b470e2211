import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, everything, NOW } from "#test/fixtures.ts";
import { readPage } from "#test/html-checker.ts";
import { fillIn, formsOf, shownFacts } from "#test/page-forms.ts";
import { SHOWN_IN_SCENES } from "#test/post-forms.ts";
import { PACK, singlePurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { textOf } from "#test/screen.tsx";
import { signIn } from "#test/visit.ts";
import { addAccount, PASSWORD } from "#test/accounts.ts";
import { openSite } from "#test/whole-site.ts";
import { createPack } from "#app/features/wallet/edit-pack.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { withdrawPurchase } from "#app/features/support/withdraw-purchase.server.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { markPaid } from "#app/features/roster/cash-payments.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let admin: Awaited<ReturnType<typeof anAdmin>>;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
  const link = { stripe_checkout_link: `http://kickabout.test/demo/checkout/${PACK}` };
  await app.db.updateTable("credit_packs").set(link).where("pack_key", "=", PACK).execute();
  admin = await anAdmin(app);
});

interface Opened {
  /** Where the page is, and where a page that shows the form is asked for by a form. */
  path: string;
  cookie: string;
  ask?: Record<string, string>;
  /** Tells the form from others of the page. */
  is: (fields: Record<string, string>) => boolean;
  fill?: Record<string, string>;
  change: () => Promise<unknown>;
  answer: RegExp;
  /** Whether the page of the rejection has the form again; else it leads to a page that has. */
  asksAgain?: boolean;
}

const player = async () => {
  const id = await ada(app.db);
  return { id, cookie: await signIn(app, id) };
};

const setPack = (price_eur: string) =>
  app.db.updateTable("credit_packs").set({ price_eur }).where("pack_key", "=", PACK).execute();

const repriced = () => setPack("12.00");

async function aSeat() {
  const gameId = await aGame(app.db);
  const ids = { gameId, playerId: await ada(app.db), actorId: admin.id, now: NOW };
  const added = await addPlayer(app.db, app.jobs, ids);
  if (!added.ok) throw new Error(added.reason);
  return { ...ids, bookingId: added.bookingId };
}

const FORMS: Record<string, () => Promise<Opened>> = {
  async "a purchase"() {
    const { cookie } = await player();
    const pack = app.db.selectFrom("credit_packs").select("id").where("pack_key", "=", PACK);
    const { id: packId } = await pack.executeTakeFirstOrThrow();
    return {
      ...{ path: "/wallet", cookie, ask: { intent: "buy-credits" }, change: repriced },
      is: (fields) => "returnTo" in fields && !("intent" in fields),
      fill: { packId },
      answer: /This plan has changed: now .*12\.00\s€, 10 credits\. Nothing was bought/,
      asksAgain: false,
    };
  },
  async "a sandbox payment"() {
    const { id, cookie } = await player();
    return {
      ...{ path: `/demo/checkout/${PACK}?client_reference_id=${id}`, cookie, change: repriced },
      is: ({ intent }) => intent === "pay",
      fill: { email: "ada@uni.example" },
      answer: /It is now .*12\.00\s€, 10 credits\. Nothing was paid/,
    };
  },
  async "a withdrawal"() {
    const id = await aPlayer(app.db);
    const cookie = await signIn(app, id);
    const purchase = singlePurchase(id);
    await deliverEvents(app, purchase.completed);
    const payments = app.db.updateTable("payments").set({ created_at: NOW });
    const paid = payments.where("stripe_object_id", "=", purchase.id).returning("id");
    const { id: paymentId } = await paid.executeTakeFirstOrThrow();
    const gameId = await aGame(app.db);
    const spend = () =>
      app.db.transaction().execute(async (tx) => {
        const { debit, lockWallet } = await import("#app/features/wallet/ledger.server.ts");
        const wallet = await lockWallet(tx, id);
        const entry = { amountCents: 500, notes: "Spent", businessKey: `spent:${gameId}`, at: NOW };
        await debit(wallet, entry)!.execute(tx);
      });
    return {
      ...{ path: "/settings/withdraw", cookie, ask: { intent: "state", paymentId }, change: spend },
      is: ({ intent }) => intent === "confirm",
      answer: /5 credits unused.*What is unused of it has changed\. Nothing was withdrawn/s,
    };
  },
  async "adding a player"() {
    const gameId = await aGame(app.db);
    return {
      ...{ path: `/admin/games/${gameId}`, cookie: admin.cookie },
      is: ({ intent, payment }) => intent === "add" && payment === "credits",
      fill: { who: await emailOf(await aPlayer(app.db)) },
      change: () => update(gameId, { is_first_session_free: true }),
      answer: /now takes the free session, or 10 credits\. Nobody was added/,
    };
  },
  async "marking refunded"() {
    const playerId = await aPlayer(app.db);
    const purchase = singlePurchase(playerId);
    await deliverEvents(app, purchase.completed);
    const payments = app.db.updateTable("payments").set({ created_at: NOW });
    const paid = payments.where("stripe_object_id", "=", purchase.id).returning("id");
    const { id: paymentId } = await paid.executeTakeFirstOrThrow();
    await withdrawPurchase(app.db, app.jobs, { userId: playerId, paymentId, now: NOW });
    const tickets = app.db.selectFrom("support_messages").select(["id", "withdrawal_id"]);
    const ticket = await tickets.where("user_id", "=", playerId).executeTakeFirstOrThrow();
    const smaller = app.db.updateTable("withdrawals").set({ amount_eur: "5.00" });
    return {
      ...{ path: `/admin/inbox/${ticket.id}`, cookie: admin.cookie },
      is: ({ intent }) => intent === "paid-back",
      change: () => smaller.where("id", "=", ticket.withdrawal_id!).execute(),
      answer: /Not marked: how much is refunded.*I have refunded \|5\.00\s€/s,
    };
  },
  async "a payment link"() {
    const packId = crypto.randomUUID();
    const input = { name: "Term", priceCents: 5_000, creditsCents: 6_000, isActive: true };
    await createPack(app.db, { packId, input, actor: admin.id });
    const dearer = app.db.updateTable("credit_packs").set({ price_eur: "55.00" });
    return {
      ...{ path: `/admin/packs/${packId}`, cookie: admin.cookie },
      is: ({ intent }) => intent === "make-link",
      change: () => dearer.where("id", "=", packId).execute(),
      answer: /Nothing was made:.* It is now Term, 55\.00\s€, 60 credits a month\./,
    };
  },
  async "a deletion"() {
    const { userId: playerId } = await addAccount(app);
    await topUp(app.db, { userId: playerId, amountCents: 25_00, at: NOW, key: playerId });
    const join = async () =>
      joinGame(app.db, app.jobs, { gameId: await aGame(app.db), playerId, now: NOW });
    await join();
    return {
      ...{ path: "/settings/delete-account", cookie: await signIn(app, playerId) },
      is: ({ intent }) => intent === "delete-account",
      fill: { password: PASSWORD },
      change: join,
      answer: /Your 2 upcoming bookings.*\|5 credits\|.*Nothing was deleted/s,
    };
  },
  async "a removal"() {
    const { bookingId, ...seat } = await aSeat();
    const paid = { amountCents: 500, method: "Cash", cashPaymentId: crypto.randomUUID() } as const;
    return {
      ...{ path: `/admin/games/${seat.gameId}`, cookie: admin.cookie },
      is: ({ intent }) => intent === "remove",
      change: () => markPaid(app.db, { ...seat, bookingId, ...paid }),
      answer: /What comes back has changed\. Nobody was removed/,
    };
  },
};

const update = (gameId: string, columns: object) =>
  app.db.updateTable("games").set(columns).where("id", "=", gameId).execute();

async function emailOf(userId: string): Promise<string> {
  const account = app.db.selectFrom("users").select("email").where("id", "=", userId);
  return (await account.executeTakeFirstOrThrow()).email;
}

async function open({ path, cookie, ask: fields }: Opened): Promise<string> {
  const ask = await openSite(app);
  const body = fields && { body: new URLSearchParams(fields) };
  return (await ask(path, { cookie, ...body })).text();
}

function formIn(html: string, { path, is, fill = {} }: Opened) {
  const found = formsOf(readPage(html), path).find(({ fields }) =>
    is(Object.fromEntries(fields.map(({ name, value }) => [name, value]))),
  );
  if (!found) throw new Error(`the form is not in ${textOf(html)}`);
  return { path: found.path, fields: fillIn(found, fill) };
}

async function send({ cookie }: Opened, { path, fields }: ReturnType<typeof formIn>) {
  const ask = await openSite(app);
  const response = await ask(path, { cookie, body: new URLSearchParams(fields) });
  return { status: response.status, html: await response.text() };
}

test.each(Object.keys(FORMS))("%s is rejected where its promise has changed", async (name) => {
  await setPack("9.99");
  const opened = await FORMS[name]!();
  const form = formIn(await open(opened), opened);
  await opened.change();
  const before = await everything(app.db);
  const rejected = await send(opened, form);
  expect(rejected.status).toBe(409);
  expect(textOf(rejected.html)).toMatch(opened.answer);
  expect(await everything(app.db)).toEqual(before);
  const html = opened.asksAgain === false ? await open(opened) : rejected.html;
  expect((await send(opened, formIn(html, opened))).status).toBeLessThan(304);
});

test.each(["a withdrawal", "a purchase", "marking refunded"])(
  "%s carries what it promises",
  async (name) => {
    const opened = await FORMS[name]!();
    const { fields } = formIn(await open(opened), opened);
    expect(shownFacts(fields)).toEqual(SHOWN_IN_SCENES[name]);
  },
);

test.each(["pay", "pay-later"])(
  "%s sent again after a new price is the same payment",
  async (intent) => {
    await setPack("9.99");
    const opened = await FORMS["a sandbox payment"]!();
    const is: Opened["is"] = (fields) => fields["intent"] === intent;
    const form = formIn(await open(opened), { ...opened, is });
    const ask = await openSite(app);
    const pay = async () => {
      const body = new URLSearchParams(form.fields);
      const { status, headers } = await ask(form.path, { cookie: opened.cookie, body });
      return [status, headers.get("Location")];
    };
    const first = await pay();
    const before = await app.db.selectFrom("payments").selectAll().execute();
    await opened.change();
    expect(first[0]).toBe(303);
    expect(await pay()).toEqual(first);
    expect(await app.db.selectFrom("payments").selectAll().execute()).toEqual(before);
  },
);

test.each(Object.keys(FORMS))("%s without the field acts on what is true now", async (name) => {
  await setPack("9.99");
  const opened = await FORMS[name]!();
  const form = formIn(await open(opened), opened);
  await opened.change();
  const fields = form.fields.filter(([field]) => field !== "shown");
  expect((await send(opened, { ...form, fields })).status).toBeLessThan(304);
});

test("a message to all also goes to who has joined since, and the answer counts them", async () => {
  const { gameId } = await aSeat();
  const opened: Opened = {
    ...{ path: `/admin/games/${gameId}`, cookie: admin.cookie, answer: /./ },
    is: ({ intent }) => intent === "message",
    change: async () => {
      await joinGame(app.db, app.jobs, { gameId, playerId: await ada(app.db), now: NOW });
    },
  };
  const form = formIn(await open(opened), opened);
  await opened.change();
  const ask = await openSite(app);
  const body = new URLSearchParams(form.fields);
  const sent = await ask(form.path, { cookie: opened.cookie, body });
  const [toast = ""] = sent.headers.getSetCookie();
  const page = await ask(opened.path, { cookie: `${opened.cookie}; ${toast.split(";")[0]}` });
  expect(textOf(await page.text())).toContain("2 players get it by email");
});
