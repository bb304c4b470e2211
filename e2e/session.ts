import type { BrowserContext } from "@playwright/test";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";

/** A site that runs, and its database. */
export interface Place {
  url: string;
  dataDir: string;
  db: Db;
}

/** The Cookie header of a new session. Checking a password would be most of a test's work. */
export async function sessionCookie({ url, dataDir, db }: Place, userId: string): Promise<string> {
  const env = readEnv({ DEMO: "1", DATA_DIR: dataDir, APP_URL: url });
  const setCookie = await signInCookie(env, await openSession(db, userId));
  return setCookie.split(";")[0]!;
}

/** Signs a browser in as who has that name before the @. */
export async function signInAs(context: BrowserContext, place: Place, who: string): Promise<void> {
  const user = place.db.selectFrom("users").select("id").where("email", "=", `${who}@uni.example`);
  const { id } = await user.executeTakeFirstOrThrow();
  const [name = "", ...value] = (await sessionCookie(place, id)).split("=");
  await context.addCookies([{ name, value: value.join("="), url: place.url }]);
}
