import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn, visit } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { NOW } from "#test/fixtures.ts";
import { addAccount, PASSWORD } from "#test/accounts.ts";
import { issueLink } from "#app/features/accounts/mail-links.server.ts";
import { action as reset } from "#app/routes/auth/reset.tsx";
import type { App } from "#app/routes/context.server.ts";

const COMMON = "This password is too common. Please choose another one";
const database = useDatabase();
let app: App;
let site: AskSite;
/** A deployment that is no demo. */
let live: AskSite;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  site = await openSite(app);
  live = await openSite({ ...app, env: { ...app.env, demo: false } });
});

const signUp = (through: AskSite, email: string, password: string) =>
  through("/auth", {
    body: new URLSearchParams({
      intent: "sign-up",
      email,
      password,
      firstName: "Ada",
      lastName: "Lovelace",
      dateOfBirth: "2000-01-31",
      schoolYear: "Master",
      major: "Physics",
    }),
  });

test.each(["Password1", "Ada.lovelace1", "ExampleUniversity1", "Kickabout1"])(
  "signing up with %s is rejected",
  async (password) => {
    const response = await signUp(live, "ada.lovelace@uni.example", password);
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringContaining(COMMON),
    ]);
  },
);

test("the demo's own password may be chosen in the demo", async () => {
  expect((await signUp(site, "bea@uni.example", PASSWORD)).status).toBe(200);
});

test("a password change rejects them too, signing in does not check", async () => {
  const { userId, email } = await addAccount(app);
  const cookie = await signIn(app, userId);
  for (const newPassword of ["Qwerty123", "Player-99", "KickAbout-1"]) {
    const fields = { currentPassword: PASSWORD, newPassword, confirmPassword: newPassword };
    const body = new URLSearchParams(fields);
    const response = await live("/settings/change-password", { cookie, body });
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringContaining(COMMON),
    ]);
  }
  const body = new URLSearchParams({ intent: "sign-in", email, password: PASSWORD });
  expect((await live("/auth", { body })).status).toBe(302);
});

test("a reset knows whose address the link is of", async () => {
  const { userId, email } = await addAccount(app);
  const token = await app.db.transaction().execute((tx) => issueLink(tx, "reset", userId, NOW));
  const password = `${email.split("@")[0]!.replace("p", "P")}-99`;
  const { status, data } = await visit(app, reset, {
    path: "/auth/reset",
    body: { token: token!, password },
  });
  expect([status, data]).toMatchObject([422, { fieldErrors: { password: COMMON } }]);
  const other = { path: "/auth/reset", body: { token: token!, password: "Another2Password" } };
  expect((await visit(app, reset, other)).status).toBe(302);
});

test.each(["Aa345678", "KickAbout-1"])("resetting it to %s is rejected", async (password) => {
  const asLive = { ...app, env: { ...app.env, demo: false } };
  const wish = { path: "/auth/reset", body: { token: "x", password } };
  const { status, data } = await visit(asLive, reset, wish);
  expect([status, data]).toMatchObject([422, { fieldErrors: { password: COMMON } }]);
});
