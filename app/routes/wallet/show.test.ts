import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { monthlyPurchase, somePacks, deliverEvents } from "#test/payments.ts";
import { type DataOf, signIn, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { ada, aGame, balanceCents, ben, everything, hoursLater, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader as profileLoader } from "#app/routes/profile/show.tsx";
import { action, loader } from "./show.tsx";

type Page = DataOf<typeof loader>;
type Result = (FormResult & { plans?: { returnTo: string; packs: object[] } }) | null;

const database = useDatabase();
let app: App;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
});

async function signedIn(id: string) {
  return { id, cookie: await signIn(app, id) };
}
async function open(cookie: string, query = ""): Promise<Page> {
  return (await visit(app, loader, { path: `/wallet${query}`, cookie })).data as Page;
}
async function post(cookie: string, body: Record<string, string>) {
  const { status, data, headers } = await visit(app, action, { path: "/wallet", cookie, body });
  return { status, result: data as Result, headers };
}
const manyEntries = (userId: string, count: number) =>
  database.pool.query(
    `insert into wallet_transactions (user_id, type, amount_eur, business_key)
     select $1::uuid, 'topup', 1, $1 || ':' || n from generate_series(1, $2) n`,
    [userId, count],
  );

describe("the wallet", () => {
  test("what is there, what it pays for and where it is from", async () => {
    const { id, cookie } = await signedIn(await ben(app.db));
    const plan = monthlyPurchase(id);
    await deliverEvents(app, [plan.paid(0), plan.completed, plan.created]);
    await topUp(app.db, { userId: id, amountCents: 550, key: `wallet-${id}` });
    const gameId = await aGame(app.db, { startsIn: 48 });
    await joinGame(app.db, app.jobs, { gameId, playerId: id, now: NOW });
    const page = await open(cookie);
    expect(page.balance).toEqual({
      credits: "35 credits",
      buys: "35.50 exactly, 3 games available",
      inShort: "35.50 credits · 3 games available",
      difference: null,
      canPlay: true,
      debt: null,
    });
    expect(page.lots.map(({ source, credits, lasts }) => [source, credits, lasts])).toEqual([
      ["Monthly credits", "30 credits", "Expires Dec 21, 12:00"],
      ["Bought credits", "5.50 credits", "Never expires"],
    ]);
    expect(page.subscriptions).toMatchObject([
      { name: "4 games a month", state: "Active", next: "Renews on Dec 21." },
    ]);
    expect(page.entries).toMatchObject([
      {
        name: "Game Payment",
        note: null,
        game: { id: gameId, venue: "Campus Hall", when: "Mon, Nov 23, 12:00" },
        amount: { shown: "\u221210", spoken: "minus 10" },
        balance: "35.50",
      },
      { name: "Credit Top-up", amount: { shown: "+5.50" }, balance: "45.50" },
      { name: "Credit Top-up", note: "4 games a month", amount: { shown: "+40" }, balance: "40" },
    ]);
  });

  test("two subscriptions to one pack differ by when they began and their reference", async () => {
    const { id, cookie } = await signedIn(await ben(app.db));
    for (const sub of ["sub_first1111", "sub_second2222"]) {
      const plan = monthlyPurchase(id, { id: sub });
      await deliverEvents(app, [plan.paid(0), plan.completed, plan.created]);
    }
    const { subscriptions } = await open(cookie);
    expect(subscriptions.map(({ name, origin }) => [name, origin])).toEqual([
      ["4 games a month", expect.stringMatching(/^Started on \w+ \d+, reference …1111$/)],
      ["4 games a month", expect.stringMatching(/^Started on \w+ \d+, reference …2222$/)],
    ]);
    const html = await (await (await openSite(app))("/wallet", { cookie })).text();
    expect(html).toContain("2 subscriptions are running, and each is charged by itself.");
  });

  test("a refunded payment that was spent is owed", async () => {
    const { id, cookie } = await signedIn(await ben(app.db));
    await database.pool.query("update profiles set wallet_debt_eur = 10 where user_id = $1", [id]);
    const { debt } = (await open(cookie)).balance;
    expect(debt).toBe("You owe 10 credits from a refunded payment.");
  });

  test("an empty one says so", async () => {
    const { cookie } = await signedIn(await ben(app.db));
    expect(await open(cookie)).toEqual({
      balance: {
        credits: "0 credits",
        buys: "0 games available",
        inShort: "0 credits · 0 games available",
        difference: null,
        canPlay: false,
        debt: null,
      },
      held: null,
      payments: [],
      lots: [],
      subscriptions: [],
      entries: [],
      olderBefore: null,
      hasNewer: false,
    });
  });

  test.each([
    ["too few", true, ben],
    ["enough", false, ada],
  ])("with %s credits for a game, buying is the main button: %s", async (_, isMain, make) => {
    const { cookie } = await signedIn(await make(app.db));
    const html = await (await (await openSite(app))("/wallet", { cookie })).text();
    const [button = ""] = /<button[^>]*>Buy credits</.exec(html) ?? [];
    expect(button.includes("bg-accent")).toBe(isMain);
  });

  test("fifty entries a page, to the first one, none twice", async () => {
    const { id, cookie } = await signedIn(await ben(app.db));
    await manyEntries(id, 120);
    const balances: string[] = [];
    let page = await open(cookie);
    const sizes = [page.entries.length];
    balances.push(...page.entries.map(({ balance }) => balance));
    while (page.olderBefore !== null) {
      page = await open(cookie, `?before=${page.olderBefore}`);
      expect(page.hasNewer).toBe(true);
      sizes.push(page.entries.length);
      balances.push(...page.entries.map(({ balance }) => balance));
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(balances).toEqual(Array.from({ length: 120 }, (_, n) => String(120 - n)));
  });

  test("exactly one page has nothing older", async () => {
    const { id, cookie } = await signedIn(await ben(app.db));
    await manyEntries(id, 50);
    expect(await open(cookie)).toMatchObject({ olderBefore: null, hasNewer: false });
  });

  test.each(["", "0", "-1", "abc", "1.5", "1e3", "9".repeat(30), "1;drop", "1&before=2"])(
    "an invalid start (%j) is the end of the ledger",
    async (before) => {
      const { cookie } = await signedIn(await ada(app.db));
      expect((await open(cookie, `?before=${before}`)).entries).toHaveLength(
        before.startsWith("1&") ? 0 : 1,
      );
    },
  );

  test("no address shows another player's wallet", async () => {
    const [one, other] = [await ada(app.db), await signedIn(await ben(app.db))];
    expect(await open(other.cookie, `?userId=${one}`)).toMatchObject({ entries: [], lots: [] });
  });

  test("the same few statements however much there is", async () => {
    const { id, cookie } = await signedIn(await ben(app.db));
    const count = async () => {
      let statements = 0;
      const counting = app.db.withPlugin({
        transformQuery({ node }) {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await visit({ ...app, db: counting }, loader, { path: "/wallet", cookie });
      return statements;
    };
    const empty = await count();
    await manyEntries(id, 60);
    for (const key of ["a", "b", "c"]) {
      const grant = { userId: id, amountCents: 400, reason: "Sorry", actor: "test" };
      await correctBalance(app.db, app.jobs, { ...grant, key: id + key });
    }
    expect(await count()).toBe(empty);
    expect(empty).toBeLessThanOrEqual(6);
  });

  // spec: 6.4
  test.each([loader, profileLoader])("signed out: to the front page", async (page) => {
    const { status, headers } = await visit(app, page, { path: "/wallet" });
    expect([status, headers.get("Location")]).toEqual([302, "/"]);
  });
});

describe("posting", () => {
  test("Buy credits opens the plans, which lead back here", async () => {
    const { cookie } = await signedIn(await ben(app.db));
    const { status, result } = await post(cookie, { intent: "buy-credits" });
    expect(status).toBe(200);
    expect(result?.plans?.returnTo).toBe("/wallet");
    expect(result?.plans?.packs).toHaveLength(4);
  });

  test("Manage subscription leads to the portal; without a subscription there is none", async () => {
    const { id, cookie } = await signedIn(await ben(app.db));
    const fields = { intent: "manage-subscription" };
    const result = { title: "Error", formError: "Failed to process request" };
    expect(await post(cookie, fields)).toMatchObject({ status: 404, result });
    const plan = monthlyPurchase(id);
    await deliverEvents(app, [plan.paid(0), plan.completed, plan.created]);
    const { status, headers } = await post(cookie, fields);
    expect([status, headers.get("Location")]).toEqual([
      303,
      `${app.env.appUrl}/demo/checkout/portal`,
    ]);
  });

  test.each(["\0", "sub_1\0", "sub 1", "'", "s".repeat(256), ""])(
    "%j is no subscription, even where the player has one",
    async (subscriptionId) => {
      const { id, cookie } = await signedIn(await ben(app.db));
      const plan = monthlyPurchase(id);
      await deliverEvents(app, [plan.paid(0), plan.completed, plan.created]);
      const fields = { intent: "manage-subscription", subscriptionId };
      expect(await post(cookie, fields)).toMatchObject({ status: 404 });
    },
  );

  test("the page says when Stripe cannot be reached", async () => {
    const { id, cookie } = await signedIn(await ben(app.db));
    const plan = monthlyPurchase(id);
    await deliverEvents(app, [plan.paid(0), plan.completed, plan.created]);
    // A missing key fails at once; an address without a server would take until a timeout.
    const env = { ...app.env, demo: false, stripeSecretKey: undefined };
    const body = { intent: "manage-subscription" };
    const { status, data } = await visit({ ...app, env }, action, {
      path: "/wallet",
      cookie,
      body,
    });
    expect([status, data]).toMatchObject([502, { title: "Error" }]);
  });

  test.each([{}, { intent: "" }, { intent: "grant", amountCents: "100" }])(
    "%j is an unknown form, and nothing is written",
    async (fields) => {
      const { id, cookie } = await signedIn(await ada(app.db));
      const before = await everything(app.db);
      expect(await post(cookie, fields as Record<string, string>)).toMatchObject({
        status: 400,
        result: { title: "Error", formError: "Failed to process request" },
      });
      expect(await everything(app.db)).toEqual(before);
      expect(await balanceCents(app.db, id)).toBe(10_000);
    },
  );

  test.each(["buy-credits", "manage-subscription"])("%s, signed out", async (intent) => {
    const { status, headers } = await post("", { intent });
    expect([status, headers.get("Location")]).toEqual([302, "/"]);
  });
});

// spec: 2.118, 7.22, 9.25
test("the profile: name, credits and the last ten transactions", async () => {
  const { id, cookie } = await signedIn(await ben(app.db));
  type Profile = Awaited<ReturnType<typeof profileLoader>>;
  const profile = async () =>
    (await visit(app, profileLoader, { path: "/profile", cookie })).data as Profile;
  expect(await profile()).toMatchObject({
    name: expect.stringMatching(/^Ben Number/),
    entries: [],
  });
  await manyEntries(id, 12);
  const { entries } = await profile();
  expect(entries.map(({ balance }) => balance)).toEqual(
    Array.from({ length: 10 }, (_, n) => String(12 - n)),
  );
});

test("credits that have expired and wait for their renewal say so", async () => {
  const { id } = await signedIn(await ben(app.db));
  const plan = monthlyPurchase(id);
  await deliverEvents(app, [plan.paid(0), plan.completed, plan.created]);
  const later = { ...app, now: () => hoursLater(24 * 30 + 1) };
  const cookie = await signIn(later, id);
  const { data } = await visit(later, loader, { path: "/wallet", cookie });
  expect((data as Page).lots[0]?.lasts).toBe("Month ended Dec 21, 12:00, renewal pending");
});
