import { beforeAll, beforeEach } from "vitest";
import { addPack } from "#app/features/wallet/packs.server.ts";
import type { FormView } from "#app/routes/admin/entity/form-view.server.ts";
import type { AdminPackView, PackResult } from "#app/routes/admin/packs/actions.server.ts";
import { action, loader } from "#app/routes/admin/packs/edit.tsx";
import type { App } from "#app/routes/context.server.ts";
import { anAdmin } from "./admin.ts";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { NOW } from "./fixtures.ts";
import { visit } from "./visit.ts";

export type FoundPack = { row: AdminPackView; form: FormView };
const EMPTY: FormView = { fields: [], values: {}, version: 0 };
const NONE = { row: {} as AdminPackView, form: EMPTY };
const BUY = "https://buy.stripe.com/";

/** Two admins and, for each test, a pack of their own making. Read it inside tests. */
export function usePacks() {
  const database = useDatabase();
  const scenario = {} as {
    app: App;
    admins: Awaited<ReturnType<typeof anAdmin>>[];
    key: string;
    packId: string;
  };
  beforeAll(async () => {
    const made = testApp(database, () => NOW);
    const app = { ...made, env: { ...made.env, paymentLinkPrefix: BUY } };
    Object.assign(scenario, { app, admins: [await anAdmin(app), await anAdmin(app)] });
  });
  beforeEach(async () => {
    const { db } = scenario.app;
    const key = `monthly_${crypto.randomUUID()}`;
    await addPack(db, {
      ...{ pack_key: key, pack_name: "Month", price_eur: "34.00", total_credit_eur: "40" },
      ...{ stripe_checkout_link: `${BUY}${key}`, stripe_price_id: `price_${key}` },
      stripe_payment_link_id: `plink_${key}`,
    });
    const row = db.selectFrom("credit_packs").select("id").where("pack_key", "=", key);
    Object.assign(scenario, { key, packId: (await row.executeTakeFirstOrThrow()).id });
  });
  const at = (id: string, admin = 0) => ({
    path: `/admin/packs/${id}`,
    cookie: scenario.admins[admin]!.cookie,
  });
  return Object.assign(scenario, {
    at,
    async open(id = scenario.packId) {
      const { status, data } = await visit(scenario.app, loader, at(id));
      const { row, form } = (data as { found: FoundPack } | null)?.found ?? NONE;
      const { values, version, fields } = form;
      const hints = Object.fromEntries(fields.map(({ name, hint }) => [name, hint]));
      return { status, pack: { ...row, values, version, hints } };
    },
    async post(change: object, { version = 1, admin = 0, id = scenario.packId } = {}) {
      const facts = { name: "Month", price: "34.00", credits: "40", isActive: "1" };
      const body = { intent: "save", version: String(version), ...facts, ...change };
      const wish = { ...at(id, admin), body };
      const { status, headers, data } = await visit(scenario.app, action, wish);
      return { status, to: headers.get("Location"), result: data as PackResult | null };
    },
  });
}
