import { describe, expect, test } from "vitest";
import { type FoundPack, usePacks } from "#test/packs.ts";
import { visit } from "#test/visit.ts";
import { action as save, loader as show } from "./edit.tsx";

const shop = usePacks();
const { at, open, post } = shop;

test("of a price typed without its comma asks, and is saved after a second yes", async () => {
  const asked = await post({ price: "3400", dropLink: "1" });
  const unusual = { label: "85.00\u00a0€ a credit is right", key: "340000 4000" };
  expect(asked).toMatchObject({
    status: 422,
    result: { asks: { dropsLink: false, unusual }, values: { dropLink: "1" } },
  });
  expect((await open()).pack.values.price).toBe("34.00");
  const yes = { price: "3400", dropLink: "1", confirmed: unusual.key };
  expect((await post({ ...yes, price: "3401" })).status).toBe(422);
  expect((await post(yes)).status).toBe(302);
  expect((await open()).pack.values.price).toBe("3400.00");
});

describe("a new pack", () => {
  const wish = () => ({ path: "/admin/packs/new", cookie: shop.admins[0]!.cookie });
  const facts = { name: "Term", price: "150", credits: "200", isActive: "1" };
  const make = (body: Record<string, string>) => visit(shop.app, save, { ...wish(), body });

  test("whose credits cost half of the usual asks once", async () => {
    const body = { ...facts, price: "100", credits: "200", packId: crypto.randomUUID() };
    const asked = await make(body);
    const price = "0.50\u00a0€ a credit: 5.00\u00a0€ a game; usual is about 1.00\u00a0€.";
    expect(asked).toMatchObject({ status: 422, data: { asks: { price } } });
    expect((await make({ ...body, confirmed: "10000 20000" })).status).toBe(302);
  });

  test("no text for organisers names a variable", async () => {
    const unset = {
      ...shop.app,
      env: { ...shop.app.env, paymentLinkPrefix: "https://else.example/" },
    };
    const { data } = await visit(unset, show, { ...at(shop.packId) });
    expect(JSON.stringify((data as { found: FoundPack }).found.row.link)).not.toMatch(
      /[A-Z]+_[A-Z]+/,
    );
  });
});
