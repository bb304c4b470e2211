import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, balanceCents, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { payingOf } from "#test/payment-holds.ts";
import { deliverEvents, singlePurchase } from "#test/payments.ts";
import { fieldsOf, startPlayingOn, textOf } from "#test/start-playing.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";
import { storeDefaultPacks } from "../../../db/defaults.ts";

/* A payment that was begun for a spot: how it goes on, and what its page says once it is for no spot. */
const database = useDatabase();
const paying = payingOf(database);
let app: App;
let site: AskSite;
let now: Date;
let packs: Record<string, string>;
let startPlaying: ReturnType<typeof startPlayingOn>;
beforeAll(async () => {
  app = testApp(database, () => now);
  site = await openSite(app);
  await storeDefaultPacks(app.db, app.env);
  const rows = await app.db.selectFrom("credit_packs").select(["id", "pack_key"]).execute();
  packs = Object.fromEntries(rows.map(({ id, pack_key }) => [pack_key, id]));
  startPlaying = startPlayingOn(app, site, packs["pay_per_game"]!);
});
beforeEach(() => {
  now = NOW;
});

type Player = Awaited<ReturnType<ReturnType<typeof startPlayingOn>>>;

const aGameToPay = () => aGame(app.db, { startsIn: 48 });
const checkoutOf = ({ response }: Player) => response.headers.get("Location")!;

/** Opens the payment page; what it returns presses its button. */
async function openCheckout(player: Player, path = checkoutOf(player)) {
  const html = await (await site(path, { cookie: player.cookies })).text();
  const fields = Object.fromEntries(fieldsOf(html, 'method="post"'));
  return (more: Record<string, string> = {}) =>
    site(path, {
      cookie: player.cookies,
      body: new URLSearchParams({ ...fields, intent: "pay", ...more }),
    });
}

describe("the game in which a spot is held", () => {
  const goOn = async ({ cookie, path }: Player) => {
    const html = await (await site(path, { cookie })).text();
    const body = new URLSearchParams(fieldsOf(html, 'action="/checkout"'));
    return { html, answer: await site("/checkout", { cookie, body }) };
  };

  test("leads on to the payment that was begun, and to other plans", async () => {
    const player = await startPlaying(await aGameToPay());
    const { html, answer } = await goOn(player);
    expect(html).toMatch(/9\.99\u00a0€<\/strong>.*?Single game/);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, checkoutOf(player)]);
    expect(checkoutOf(player)).toContain(`client_reference_id=${player.id}&`);
    expect(html).toContain("Change plan");
    expect(html.match(/Continue to payment/g)).toHaveLength(1);
  });

  test("leads on to just what is missing", async () => {
    const player = await startPlaying(await aGameToPay(), 9.01, packs["any_amount"]!);
    const { html, answer } = await goOn(player);
    expect(html).toMatch(/0\.99\u00a0€<\/strong>.*?Just what is missing/);
    expect(answer.headers.get("Location")).toContain("__prefilled_amount=99");
  });

  test("opens the plans where its hold names no pack", async () => {
    const { cookie, path, id } = await startPlaying(await aGameToPay());
    const holds = app.db.updateTable("payment_holds").where("user_id", "=", id);
    await holds.set({ pack_id: null }).execute();
    const page = await textOf(site(path, { cookie }));
    expect(page).toContain("|Continue to payment|");
    expect(page).not.toContain("Change plan");
  });

  test("joins by the credits that have come meanwhile", async () => {
    const { cookie, path, id } = await startPlaying(await aGameToPay());
    const wallet = app.db.updateTable("profiles").set({ wallet_balance_eur: "10" });
    await wallet.where("user_id", "=", id).execute();
    const page = await textOf(site(path, { cookie }));
    expect(page).toContain("|Join game|");
    expect(page).not.toContain("Continue to payment");
  });
});

describe("a payment page that stayed open", () => {
  const ALONE = "No spot is held for you any more. What you buy stays in your wallet.";

  test("buys credits alone after the spot was given back, once its page says so", async () => {
    const player = await startPlaying(await aGameToPay());
    const press = await openCheckout(player);
    await paying.stop(player.gameId, player.id);
    const rejected = await press();
    expect(rejected.status).toBe(409);
    expect(await textOf(rejected)).toContain(`|${ALONE} Nothing was paid: look again.|`);
    expect(await balanceCents(app.db, player.id)).toBe(400);
    const page = await textOf(site(checkoutOf(player), { cookie: player.cookies }));
    expect(page).toContain(`|${ALONE}|`);
    expect(page).not.toContain("Spot held for you");
    expect((await (await openCheckout(player))()).status).toBe(303);
    await paying.work();
    expect(await balanceCents(app.db, player.id)).toBe(1_400);
    expect(await bookingsOf(app.db, player.gameId)).toEqual([]);
  });

  test("books a spot that is free after its own has lapsed, once its page says so", async () => {
    const player = await startPlaying(await aGameToPay());
    const press = await openCheckout(player);
    now = hoursLater(0.3);
    expect(await textOf(press())).toContain(
      "|No spot is held for you any more. Once it is paid, you are in if one is free. Nothing was",
    );
    expect((await (await openCheckout(player))()).status).toBe(303);
    await paying.work(now);
    expect(await bookingsOf(app.db, player.gameId)).toMatchObject([{ user_id: player.id }]);
  });

  test("pays for no game that was begun in another tab, and is for it once it is opened again", async () => {
    const player = await startPlaying(await aGameToPay());
    const press = await openCheckout(player);
    now = hoursLater(0.1);
    const second = await aGame(app.db, { startsIn: 96 });
    await paying.hold(second, player.id, { now });
    const rejected = await press();
    expect(rejected.status).toBe(409);
    expect(await textOf(rejected)).toContain(`|${ALONE} Nothing was paid: look again.|`);
    expect(await balanceCents(app.db, player.id)).toBe(400);
    const page = await site(checkoutOf(player), { cookie: player.cookie });
    expect(await page.text()).toContain(`href="/events/${second}"`);
    const again = await openCheckout(player);
    for (const time of [1, 2]) expect([time, (await again()).status]).toEqual([time, 303]);
    await paying.work(now);
    expect(await balanceCents(app.db, player.id)).toBe(400);
    expect(await bookingsOf(app.db, second)).toHaveLength(1);
    expect(await bookingsOf(app.db, player.gameId)).toEqual([]);
  });
});

test("a payment under way is shown with its game at the checkout, after it and in the wallet", async () => {
  const player = await startPlaying(await aGameToPay());
  const press = await openCheckout(player);
  const later = (await press({ intent: "pay-later" })).headers.get("Location")!;
  const second = await startPlaying(await aGame(app.db, { startsIn: 96 }));
  await paying.hold(second.gameId, player.id);
  // This browser remembers the later purchase.
  const cookie = `${player.cookie}; ${second.cookies.split("; ")[1]}`;
  const [, sessionId] = /session_id=(\w+)/.exec(later)!;
  const pages = [later, `/wallet/paid?session_id=${sessionId}`];
  for (const path of pages) {
    expect(await textOf(site(path, { cookie }))).toContain("|Campus Hall|Mon 12:00|");
  }
  expect(await (await site(later, { cookie })).text()).toContain(`href="${player.path}"`);
  expect(await textOf(site("/wallet", { cookie }))).toContain(
    "|Campus Hall, Mon 12:00|Not in yet. ",
  );
});

describe("what is missing for a game", () => {
  const goToPay = async () => startPlaying(await aGameToPay(), 9.01, packs["any_amount"]!);

  test("is named where its amount is chosen, prefilled, and less is rejected", async () => {
    const player = await goToPay();
    const path = checkoutOf(player).replace(/&__prefilled_amount=\d+/, "");
    const page = await (await site(path, { cookie: player.cookies })).text();
    expect(page).toContain("0.99\u00a0€ is missing for this game. With less you are not in.");
    expect(page).toMatch(/<input[^>]* value="0\.99"/);
    const press = await openCheckout(player, path);
    const rejected = await press({ amount: "0.98" });
    expect(rejected.status).toBe(422);
    expect(await textOf(rejected)).toContain(
      "0.99\u00a0€ is missing for this game. With less you would not be in, so nothing was paid.|",
    );
    expect(await balanceCents(app.db, player.id)).toBe(901);
    expect((await press({ amount: "0.99" })).status).toBe(303);
    await paying.work();
    expect(await bookingsOf(app.db, player.gameId)).toMatchObject([{ user_id: player.id }]);
  });

  test("is no matter once no spot is booked by it: any amount is taken as credits", async () => {
    const player = await goToPay();
    await paying.stop(player.gameId, player.id);
    expect((await (await openCheckout(player))({ amount: "0.50" })).status).toBe(303);
    expect(await balanceCents(app.db, player.id)).toBe(951);
  });
});

test("header and page say the credits of one moment, where the booking comes while they are read", async () => {
  const player = await startPlaying(await aGameToPay());
  const purchase = singlePurchase(player.id, { payment_link: "plink_demo_pay_per_game" });
  await deliverEvents(app, purchase.completed);
  const db = afterTheViewer(app.db, () => paying.work());
  const busy = await openSite({ ...app, db });
  const { cookie } = player;
  const html = await (await busy(`/wallet/paid?session_id=${purchase.id}`, { cookie })).text();
  expect(html).toContain("New balance: 4 credits.");
  expect(html).not.toContain("14 credits");
});

/** The same database, where `meanwhile` runs once the session has been read. */
function afterTheViewer(db: App["db"], meanwhile: () => Promise<unknown>): App["db"] {
  let first: object | undefined;
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      const isIt =
        node.kind === "SelectQueryNode" && JSON.stringify(node.from).includes('"sessions"');
      if (isIt) first ??= queryId;
      return node;
    },
    async transformResult({ result, queryId }) {
      if (queryId === first) await meanwhile();
      return result;
    },
  });
}

test("the last spot that somebody pays for is said to be paid for, to players and visitors", async () => {
  const gameId = await aGame(app.db, { startsIn: 48, spots: 1 });
  const player = await startPlaying(gameId);
  const { cookie } = await startPlaying(await aGameToPay());
  const readPages = () =>
    Promise.all([{ cookie }, {}].map((as) => textOf(site(`/events/${gameId}`, as))));
  const said = "A spot is being paid for. Nobody is waiting yet.|";
  const [own = "", visitors = ""] = await readPages();
  expect(own).toContain(`|GAME FULL|${said}`);
  expect(visitors).toContain(`|GAME FULL|10 credits (10.00\u00a0€)|${said}`);
  for (const page of [own, visitors]) expect(page).toContain("|Find another game|");
  await paying.stop(gameId, player.id);
  for (const page of await readPages()) expect(page).not.toContain("being paid for");
});
