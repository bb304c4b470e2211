import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ben, hoursLater, NOW } from "#test/fixtures.ts";
import { deliverEvents, MONTHLY, singlePurchase, somePacks } from "#test/payments.ts";
import { type DataOf, signIn, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";
import type { FailedCheckout } from "#app/routes/credits/plans.server.ts";
import { action } from "./checkout.tsx";
import { loader } from "./show.tsx";

const database = useDatabase();
let app: App;
let packId: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  await somePacks(app.db);
  const pack = await app.db
    .updateTable("credit_packs")
    .set({ stripe_checkout_link: "http://kickabout.test/demo/checkout/monthly_4" })
    .where("pack_key", "=", MONTHLY)
    .returning("id")
    .executeTakeFirstOrThrow();
  packId = pack.id;
});

async function player() {
  const id = await ben(app.db);
  return { id, cookie: await signIn(app, id) };
}
async function open(cookie: string) {
  return (await visit(app, loader, { path: "/wallet", cookie })).data as DataOf<typeof loader>;
}
async function post(cookie: string, body: Record<string, string>) {
  const { status, data, headers } = await visit(app, action, { path: "/checkout", cookie, body });
  return { status, data: data as FailedCheckout | null, to: headers.get("Location"), headers };
}

describe("the wallet", () => {
  test("payments without credits so far stand in it, with what happens next", async () => {
    const { id, cookie } = await player();
    const bought = (fields: object) => singlePurchase(id, fields);
    const [late, failed, wrong] = [bought({}), bought({}), bought({ amount_total: 500 })];
    const sent = [late.unpaid, failed.unpaid, failed.failed, wrong.unpaid, wrong.succeeded];
    const at = (hours: number) => Math.floor(hoursLater(hours).getTime() / 1_000);
    await deliverEvents(
      app,
      sent.map((event, n) => ({ ...event, created: at(-10 * 24 - n) })),
    );
    const euros = "9.99\u00a0€";
    expect((await open(cookie)).payments).toEqual([
      {
        ...{ id: late.id, game: null },
        tone: "info",
        title: `Waiting for your bank · ${euros}, since Nov 11`,
        text: "This can take a few days. Your credits will arrive automatically.",
      },
      {
        ...{ id: failed.id, game: null },
        tone: "danger",
        title: `Payment failed · ${euros}, Nov 11`,
        text: "It was not confirmed, and nothing was charged. You can pay again by card or MobilePay.",
      },
      {
        ...{ id: wrong.id, game: null },
        tone: "info",
        title: "We have your payment · 5.00\u00a0€, Nov 11",
        text: "We are matching it by hand. You don't have to do anything.",
      },
    ]);
    const html = await (await (await openSite(app))("/wallet", { cookie })).text();
    expect(html).toContain(`Waiting for your bank · ${euros}, since Nov 11`);
    const other = await player();
    expect((await open(other.cookie)).payments).toEqual([]);
  });

  test("a payment that takes longer than two weeks says whom to ask, with its reference", async () => {
    const { id, cookie } = await player();
    const { id: session, unpaid } = singlePurchase(id);
    const created = Math.floor(hoursLater(-15 * 24).getTime() / 1_000);
    await deliverEvents(app, { ...unpaid, created });
    const { text } = (await open(cookie)).payments[0]!;
    expect(text).toContain(`write to hello@kickabout.example with the reference ${session}.`);
  });
});

describe("with a payment on its way", () => {
  async function payer() {
    const who = await player();
    await deliverEvents(app, singlePurchase(who.id).unpaid);
    return who;
  }
  const asked = {
    title: "You have a payment of 9.99\u00a0€ on its way",
    formError: expect.stringMatching(
      /^Since [A-Z][a-z]+ \d+\. Its credits will arrive automatically\. If you pay again now, you pay for more\.$/,
    ),
  };

  test("it is asked about once, before the button leads away", async () => {
    const { cookie } = await payer();
    const body = { packId, returnTo: "/events/1", shown: "" };
    const first = await post(cookie, body);
    expect(first).toMatchObject({ status: 409, to: null, data: { ...asked, values: body } });
    expect(first.headers.getSetCookie()).toEqual([]);
    const { confirms: confirmed = "" } = first.data!;
    expect(await post(cookie, { ...body, confirmed })).toMatchObject({
      status: 303,
      to: expect.stringContaining("/demo/checkout/monthly_4"),
    });
    expect(await post(cookie, { ...body, confirmed: "ask" })).toMatchObject({ status: 409 });
  });

  test("without JavaScript a page asks, and its form is the same with the answer", async () => {
    const { cookie } = await payer();
    const site = await openSite(app);
    const body = new URLSearchParams({ packId, returnTo: "/events/1" });
    const html = await (await site("/checkout", { cookie, body })).text();
    expect(html).toContain("You have a payment of 9.99");
    const again = new URLSearchParams(
      [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
        ([, name = "", value = ""]) => [name, value],
      ),
    );
    expect(Object.fromEntries(again)).toMatchObject({ packId, returnTo: "/events/1" });
    const { status, headers } = await site("/checkout", { cookie, body: again });
    expect([status, headers.get("Location")]).toEqual([
      303,
      expect.stringContaining("/demo/checkout/monthly_4"),
    ]);
  });

  test("nobody else is asked", async () => {
    await payer();
    expect(await post((await player()).cookie, { packId })).toMatchObject({ status: 303 });
  });
});
