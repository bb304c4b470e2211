import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { anAdmin } from "#test/admin.ts";
import { useDatabase } from "#test/db.ts";
import { visit } from "#test/visit.ts";
import { NOW } from "#test/fixtures.ts";
import { addPack } from "#app/features/wallet/packs.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { FormView } from "#app/routes/admin/entity/form-view.server.ts";
import { action as save, loader as show } from "./edit.tsx";
import type { AdminPackView, PackResult } from "./actions.server.ts";

const database = useDatabase();
let app: App;
let admins: Awaited<ReturnType<typeof anAdmin>>[];
let key: string;
let packId: string;
const BUY = "https://buy.stripe.com/";

beforeAll(async () => {
  const made = testApp(database, () => NOW);
  app = { ...made, env: { ...made.env, paymentLinkPrefix: BUY } };
  admins = [await anAdmin(app), await anAdmin(app)];
});
beforeEach(async () => {
  key = `monthly_${crypto.randomUUID()}`;
  await addPack(app.db, {
    ...{ pack_key: key, pack_name: "Month", price_eur: "34.00", total_credit_eur: "40" },
    ...{ stripe_checkout_link: `${BUY}${key}`, stripe_price_id: `price_${key}` },
    stripe_payment_link_id: `plink_${key}`,
  });
  const row = app.db.selectFrom("credit_packs").select("id").where("pack_key", "=", key);
  packId = (await row.executeTakeFirstOrThrow()).id;
});

type Found = { row: AdminPackView; form: FormView };
const EMPTY: FormView = { fields: [], values: {}, version: 0 };
const NONE = { row: {} as AdminPackView, form: EMPTY };
const at = (id: string) => ({ path: `/admin/packs/${id}` });
async function open(id = packId) {
  const { status, data } = await visit(app, show, { ...at(id), cookie: admins[0]!.cookie });
  const { row, form } = (data as { found: Found } | null)?.found ?? NONE;
  const { values, version, fields } = form;
  const hints = Object.fromEntries(fields.map(({ name, hint }) => [name, hint]));
  return { status, pack: { ...row, values, version, hints } };
}
async function post(change: object, { version = 1, admin = 0, id = packId } = {}) {
  const facts = { name: "Month", price: "34.00", credits: "40", isActive: "1" };
  const body = { intent: "save", version: String(version), ...facts, ...change };
  const wish = { ...at(id), cookie: admins[admin]!.cookie, body };
  const { status, headers, data } = await visit(app, save, wish);
  return { status, to: headers.get("Location"), result: data as PackResult | null };
}

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
  const wish = () => ({ path: "/admin/packs/new", cookie: admins[0]!.cookie });
  const facts = { name: "Term", price: "150", credits: "200", isActive: "1" };
  const make = (body: Record<string, string>) => visit(app, save, { ...wish(), body });

  test("whose credits cost half of the usual asks once", async () => {
    const body = { ...facts, price: "100", credits: "200", packId: crypto.randomUUID() };
    const asked = await make(body);
    const price = "0.50\u00a0€ a credit: 5.00\u00a0€ a game; usual is about 1.00\u00a0€.";
    expect(asked).toMatchObject({ status: 422, data: { asks: { price } } });
    expect((await make({ ...body, confirmed: "10000 20000" })).status).toBe(302);
  });

  test("no text for organisers names a variable", async () => {
    const unset = { ...app, env: { ...app.env, paymentLinkPrefix: "https://else.example/" } };
    const { data } = await visit(unset, show, { ...at(packId), cookie: admins[0]!.cookie });
    expect(JSON.stringify((data as { found: Found }).found.row.link)).not.toMatch(/[A-Z]+_[A-Z]+/);
  });
});
