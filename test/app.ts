import { RouterContextProvider } from "react-router";
import { createAccounts } from "#app/features/accounts/accounts.server.ts";
import { createPasswords } from "#app/features/accounts/passwords.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { addressContext, type App, appContext, nonceContext } from "#app/routes/context.server.ts";
import type { TestDatabase } from "./db.ts";

// What a real hash costs would be most of a test's time.
const CHEAP_PASSWORDS = createPasswords({ log2N: 10, r: 8, p: 1 });

/** The App of a test: its own database, the demo's configuration, a clock that tests may set. */
export function testApp(database: TestDatabase, now: () => Date = () => new Date()): App {
  const env = readEnv({ DEMO: "1", DATA_DIR: ".cache/test-app", APP_URL: "http://kickabout.test" });
  const accounts = createAccounts({ env, ...database, passwords: CHEAP_PASSWORDS });
  return { env, db: database.db, jobs: database.jobs, accounts, now };
}

/** The context that server.ts gives to a request. */
export function requestContext(app: App, address = "192.0.2.1"): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(nonceContext, "test-nonce");
  context.set(addressContext, address);
  return context;
}
