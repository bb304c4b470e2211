import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type FoundPack, usePacks } from "#test/packs.ts";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { storeDefaultPacks } from "../../../../db/defaults.ts";
import { addPack } from "#app/features/wallet/packs.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { action as save, loader as show } from "./edit.tsx";
import { loader as list } from "./list.tsx";

const shop = usePacks();
const { at, open, post } = shop;

test("the list has every pack with its link, those on sale first, the cheapest first", async () => {
  await addPack(shop.app.db, {
    ...{ pack_key: "dear", pack_name: "Dear", price_eur: "500", total_credit_eur: "600" },
  });
  const { data } = await visit(shop.app, list, {
    path: "/admin/packs",
    cookie: shop.admins[0]!.cookie,
  });
  const { packs } = data as Awaited<ReturnType<typeof list>>;
  expect(packs.at(-1)).toMatchObject({ name: "Dear", link: { label: "No payment link" } });
  expect(packs[0]).toMatchObject({
    deal: "34.00\u00a0€ for 40 credits",
    kind: "Every month",
    link: { label: "Link ready" },
  });
});

describe("an edit", () => {
  test("is saved and leads back to the pack", async () => {
    const to = `/admin/packs/${shop.packId}`;
    expect(await post({ name: " Autumn ", isActive: "" })).toMatchObject({ status: 302, to });
    expect((await open()).pack).toMatchObject({
      name: "Autumn",
      isOnSale: false,
      isWanted: false,
      version: 2,
      link: { label: "Link ready" },
    });
  });

  test("of a price asks before the link goes", async () => {
    expect((await open()).pack.hints["price"]).toContain("needs a new one");
    const asked = await post({ price: "39,90" });
    expect(asked).toMatchObject({
      status: 422,
      result: {
        asks: {
          dropsLink: true,
          price: "1.00\u00a0€ a credit: 9.98\u00a0€ a game; until now 0.85\u00a0€ a credit.",
          unusual: null,
        },
        values: { price: "39,90", version: "1" },
      },
    });
    expect((await open()).pack.values.price).toBe("34.00");
    expect((await post({ price: "39,90", dropLink: "1" })).status).toBe(302);
    expect((await open()).pack).toMatchObject({
      values: { price: "39.90" },
      link: { label: "No payment link" },
    });
    expect((await open()).pack.facts.map(([, isThere]) => isThere)).toEqual(Array(5).fill(false));
  });

  test("of what another admin has changed loses nothing of either", async () => {
    await post({ name: "Theirs" }, { admin: 1 });
    const second = await post({ name: "Mine", credits: "45" });
    expect(second).toMatchObject({
      status: 409,
      result: {
        values: { name: "Mine", credits: "45" },
        conflict: {
          version: 2,
          differences: [
            { label: "Name", theirs: "Theirs", yours: "Mine" },
            { label: "Credits", theirs: "40", yours: "45" },
          ],
        },
      },
    });
    expect((await open()).pack.name).toBe("Theirs");
    const again = { name: "Mine", credits: "45", dropLink: "1" };
    expect((await post(again, { version: 2 })).status).toBe(302);
    expect((await open()).pack).toMatchObject({ name: "Mine", values: { credits: "45" } });
  });

  test.each([
    [{ name: " " }, "name"],
    [{ name: "x".repeat(61) }, "name"],
    [{ price: "0" }, "price"],
    [{ price: "free" }, "price"],
    [{ price: "34.001" }, "price"],
    [{ credits: "-1" }, "credits"],
    [{ credits: "100000" }, "credits"],
  ])("to %j is an error of its field", async (change, field) => {
    const { status, result } = await post(change);
    expect([status, Object.keys(result?.fieldErrors ?? {})]).toEqual([422, [field]]);
    expect((await open()).pack.version).toBe(1);
  });

  test.each(["x", crypto.randomUUID()])("of %s is a 404", async (id) => {
    expect((await open(id)).status).toBe(404);
    expect((await post({}, { id })).status).toBe(404);
  });
});

describe("a new pack", () => {
  const wish = () => ({ path: "/admin/packs/new", cookie: shop.admins[0]!.cookie });
  const facts = { name: "Term", price: "150", credits: "200", isActive: "1" };
  const make = (body: Record<string, string>) => visit(shop.app, save, { ...wish(), body });

  test("is made once, however often its form arrives", async () => {
    const { data } = await visit(shop.app, show, wish());
    const { packId = "" } = (data as { found: FoundPack }).found.form.once!;
    const body = { ...facts, packId };
    const results = await Promise.all([make(body), make(body)]);
    for (const { status, headers } of results) {
      expect([status, headers.get("Location")]).toEqual([302, `/admin/packs/${body.packId}`]);
    }
    expect((await open(body.packId)).pack).toMatchObject({ name: "Term", kind: "Every month" });
  });

  test("that fails on our side stays as it was typed, and so does an edit", async () => {
    await sql`alter table credit_packs rename to credit_packs_away`.execute(shop.app.db);
    try {
      const made = await make({ ...facts, packId: crypto.randomUUID() });
      const saved = await post({ ...facts, version: "1" });
      expect([made.status, saved.status]).toEqual([500, 500]);
      for (const result of [made.data, saved.result]) {
        expect(result).toMatchObject({
          title: expect.stringMatching(/^Failed to (create|save) pack$/),
          formError: "Please try again.",
          values: { name: "Term" },
        });
      }
    } finally {
      await sql`alter table credit_packs_away rename to credit_packs`.execute(shop.app.db);
    }
  });

  test("that is wrong stays as it was typed", async () => {
    expect(await make({ ...facts, price: "x", packId: crypto.randomUUID() })).toMatchObject({
      status: 422,
      data: { fieldErrors: { price: expect.any(String) }, values: { name: "Term" } },
    });
    expect((await make({ ...facts, packId: "x" })).status).toBe(400);
    // A form that has made another pack already.
    expect(await make({ ...facts, packId: shop.packId })).toMatchObject({
      status: 409,
      data: { formError: expect.stringContaining("another pack"), values: { name: "Term" } },
    });
  });
});

describe("the pack of any amount", () => {
  const anyAmount = async () => {
    await storeDefaultPacks(shop.app.db, shop.app.env);
    const row = shop.app.db.selectFrom("credit_packs").select("id");
    return (await row.where("pack_key", "=", "any_amount").executeTakeFirstOrThrow()).id;
  };

  test("has no price to edit, is taken off sale and put on again", async () => {
    const id = await anyAmount();
    const env = { ...shop.app.env, paymentLinkPrefix: "http://kickabout.test/demo/" };
    const site = await openSite({ ...shop.app, env });
    const page = async () =>
      (await site(`/admin/packs/${id}`, { cookie: shop.admins[0]!.cookie })).text();
    expect(await page()).toContain("Stop selling it");
    expect(await page()).not.toContain('name="price"');
    expect((await post({}, { id })).status).toBe(404);
    const press = (intent: string) =>
      visit({ ...shop.app, env }, save, { ...at(id), body: { intent } });
    expect((await press("stop-selling")).status).toBe(302);
    expect(await page()).not.toContain("Stop selling it");
    expect(await page()).toContain("Make the payment link");
    expect((await press("make-link")).status).toBe(302);
    expect(await page()).toContain("Stop selling it");
    expect((await post({ intent: "stop-selling" })).status).toBe(404);
  });

  test("reads in the list what it sells", async () => {
    await anyAmount();
    const { data } = await visit(shop.app, list, {
      path: "/admin/packs",
      cookie: shop.admins[0]!.cookie,
    });
    const { packs } = data as Awaited<ReturnType<typeof list>>;
    expect(packs).toContainEqual(
      expect.objectContaining({
        ...{ name: "Credits", kind: "What is missing" },
        deal: "0.50\u00a0€ or more, as many credits",
      }),
    );
  });
});

describe("the button that makes the link", () => {
  const press = (site: App, id: string) =>
    visit(site, save, { ...at(id), body: { intent: "make-link" } });
  const newPack = async (isActive: string) => {
    const id = crypto.randomUUID();
    const path = "/admin/packs/new";
    const body = { name: "Term", price: "150", credits: "200", isActive, packId: id };
    await visit(shop.app, save, { path, cookie: shop.admins[0]!.cookie, body });
    return id;
  };

  test("puts a new pack on sale, in the demo with its own checkout", async () => {
    const id = await newPack("1");
    expect((await open(id)).pack).toMatchObject({
      ...{ isWanted: true, isOnSale: false },
      link: { label: "No payment link", isMendable: true },
    });
    const demo = {
      ...shop.app,
      env: { ...shop.app.env, paymentLinkPrefix: "http://kickabout.test/demo/" },
    };
    const { status, headers } = await press(demo, id);
    expect([status, headers.get("Location")]).toEqual([302, `/admin/packs/${id}`]);
    const { data } = await visit(demo, show, { ...at(id) });
    const row = { isOnSale: true, link: { label: "Demo checkout" } };
    expect(data).toMatchObject({ found: { row } });
    expect((await press(demo, crypto.randomUUID())).status).toBe(404);
  });

  test("says what is missing where there is no key, and leaves the pack as it is", async () => {
    const id = await newPack("1");
    const env = { ...shop.app.env, demo: false, stripeSecretKey: undefined };
    const { status, data } = await press({ ...shop.app, env }, id);
    expect(status).toBe(409);
    expect(data).toMatchObject({
      ...{ form: "make-link", title: "No payment link was made" },
      formError: expect.stringContaining("Stripe's key is missing"),
    });
    expect((await open(id)).pack.isOnSale).toBe(false);
  });

  test("is on the page only where there is something to make", async () => {
    const site = await openSite(shop.app);
    const pageOf = async (id: string) =>
      (await site(`/admin/packs/${id}`, { cookie: shop.admins[0]!.cookie })).text();
    expect(await pageOf(await newPack(""))).toContain("Make the payment link");
    expect(await pageOf(shop.packId)).not.toContain("Make the payment link");
  });
});
