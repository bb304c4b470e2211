import { beforeAll, beforeEach } from "vitest";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { somePacks } from "./payments.ts";
import { signIn, visit } from "./visit.ts";
import { ben, NOW } from "./fixtures.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import type { App } from "#app/routes/context.server.ts";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { action, loader } from "#app/routes/admin/payments/list.tsx";

type Page = Awaited<ReturnType<typeof loader>>;

/** An admin's view of payments, with packs and, before each test, no event. Read it inside tests. */
export function useAdminPayments() {
  const database = useDatabase();
  const scenario = {} as { app: App; admin: { id: string; cookie: string } };
  beforeAll(async () => {
    scenario.app = testApp(database, () => NOW);
    await somePacks(scenario.app.db);
    scenario.admin = await anAdmin(scenario.app);
  });
  beforeEach(async () => {
    await scenario.app.db.deleteFrom("stripe_events").execute();
  });
  const path = "/admin/payments";
  return {
    get app() {
      return scenario.app;
    },
    get admin() {
      return scenario.admin;
    },
    async open(): Promise<Page> {
      const { data } = await visit(scenario.app, loader, { path, cookie: scenario.admin.cookie });
      return data as Page;
    },
    async post(body: BodyInit | Record<string, string>, cookie = scenario.admin.cookie) {
      const { status, headers, data } = await visit(scenario.app, action, { path, cookie, body });
      return { status, headers, result: data as FormResult | null };
    },
  };
}

/** The fields of a form about an event. */
export function about({ id }: SentEvent, intent: string, fields: Record<string, string> = {}) {
  return { intent, eventId: id, ...fields };
}

export async function anAdmin(app: App) {
  const { id, email } = await aPayer(app);
  await makeAdmin(app.db, email, "test");
  return { id, email, cookie: await signIn(app, id) };
}

/** A player without credits. */
export async function aPayer({ db }: App) {
  const id = await ben(db);
  const profile = db.selectFrom("profiles").select("email").where("user_id", "=", id);
  return { id, email: (await profile.executeTakeFirstOrThrow()).email };
}

export async function packId({ db }: App, key: string): Promise<string> {
  const pack = db.selectFrom("credit_packs").select("id").where("pack_key", "=", key);
  return (await pack.executeTakeFirstOrThrow()).id;
}
