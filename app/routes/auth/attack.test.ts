import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { visit } from "#test/visit.ts";
import { addAccount, addSignUp, PASSWORD, waitingJobs } from "#test/accounts.ts";
import { requestReset } from "#app/features/accounts/change-password.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { action as enter } from "./auth.tsx";
import { action as reset } from "./reset.tsx";

const database = useDatabase();
const OWN = "Owner1234";
let app: App;
beforeAll(() => {
  app = testApp(database);
});

const post = (fields: Record<string, string>, cookie = "") =>
  visit(app, enter, { path: "/auth", cookie, body: fields });
const signIn = (email: string, password: string, cookie = "") =>
  post({ intent: "sign-in", email, password }, cookie);
const deviceOf = ({ headers }: { headers: Headers }) => {
  const found = headers.getSetCookie().find((each) => each.startsWith("kickabout_device="));
  return found?.split(";")[0] ?? "";
};
const attack = (email: string) =>
  app.db
    .insertInto("sign_in_failures")
    .values({ email, device: "", failures: 500, last_failed_at: new Date() })
    .execute();

test("guessing without end keeps strangers out, and never the owner's browser", async () => {
  const { email } = await addAccount(app);
  const device = deviceOf(await signIn(email, PASSWORD));
  const other = deviceOf(await signIn((await addAccount(app)).email, PASSWORD));
  await attack(email);
  const forged = `${device.slice(0, -8)}AAAAAAAA`;
  for (const cookie of ["", other, forged]) {
    expect((await signIn(email, PASSWORD, cookie)).status).toBe(429);
  }
  expect((await signIn(email, PASSWORD, device)).status).toBe(302);
  expect((await signIn(email, "Wrong1234", device)).status).toBe(401);
});

test("only the right password makes a browser known", async () => {
  const { email } = await addAccount(app);
  const waiting = await addSignUp(app);
  expect(deviceOf(await signIn(email, "Wrong1234"))).toBe("");
  expect(deviceOf(await signIn(waiting.email, PASSWORD))).toBe("");
});

test("a reset by email lets the owner in from a new browser while the attack goes on", async () => {
  const { email, userId } = await addAccount(app);
  await attack(email);
  await requestReset(app, { email, address: "192.0.2.1" }, new Date());
  const jobs = await waitingJobs(database.pool, "reset-password");
  const token = jobs.find((job) => job.userId === userId)?.token ?? "";
  const body = { token, password: OWN };
  const device = deviceOf(await visit(app, reset, { path: "/auth/reset", body }));
  await attack(email);
  expect((await signIn(email, OWN)).status).toBe(429);
  expect((await signIn(email, OWN, device)).status).toBe(302);
});
