import { beforeAll, expect, test } from "vitest";
import { addAccount, PASSWORD, waitingJobs } from "#test/accounts.ts";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer } from "#test/fixtures.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let site: AskSite;
beforeAll(async () => {
  app = testApp(database);
  site = await openSite(app);
});

const post = (path: string, fields: Record<string, string>) =>
  site(path, { body: new URLSearchParams(fields) });

test("a sign-up pasted from contacts and documents is stored as if it had been typed", async () => {
  const email = `${crypto.randomUUID()}@uni.example`;
  const response = await post("/auth?tab=sign-up", {
    ...{ intent: "sign-up", email: `Anna <${email}\u200b>`, password: PASSWORD },
    ...{
      firstName: "Anna\u00a0Maria",
      lastName: "O´Neill\u2011Mä\u00adki",
      major: "\ufeffPhysics",
    },
    ...{ dateOfBirth: "31.1.2000", schoolYear: "Bachelor", phone: "\u202d0401234567\u202c" },
  });
  expect(response.status).toBe(200);
  const stored = database.db.selectFrom("sign_ups").where("email", "=", email);
  const columns = ["first_name", "last_name", "major", "date_of_birth", "phone"] as const;
  expect(await stored.select(columns).executeTakeFirstOrThrow()).toEqual({
    ...{ first_name: "Anna Maria", last_name: "O'Neill-Mäki", major: "Physics" },
    ...{ date_of_birth: "2000-01-31", phone: "+358 40 1234567" },
  });
});

test.each(["a&b", "a/b", "a~b", "o'neill"])("%s@ of the school signs up", async (local) => {
  const response = await post("/auth?tab=sign-up", {
    ...{ intent: "sign-up", email: `${local}@uni.example`, password: PASSWORD },
    ...{ firstName: "Ann", lastName: "Lee", major: "Physics" },
    ...{ dateOfBirth: "2000-01-31", schoolYear: "Bachelor" },
  });
  expect(response.status).toBe(200);
});

test("an address with what nobody sees signs in, and gets the link to reset its password", async () => {
  const { email, userId } = await addAccount(app);
  const pasted = `\u202a${email.toUpperCase()}\u200b\u202c `;
  const response = await post("/auth", { intent: "sign-in", email: pasted, password: PASSWORD });
  expect([response.status, response.headers.get("Location")]).toEqual([302, "/events"]);
  expect((await post("/auth/forgot", { email: `<${email}>` })).status).toBe(200);
  const jobs = await waitingJobs(database.pool, "reset-password");
  expect(JSON.stringify(jobs)).toContain(userId);
});

test("a search with a pasted name finds whom the typed name finds", async () => {
  const { cookie } = await anAdmin(app);
  const playerId = await aPlayer(app.db);
  const names = { first_name: "Jörg", last_name: "O'Weiß" };
  await app.db.updateTable("profiles").set(names).where("user_id", "=", playerId).execute();
  for (const words of ["joerg", "o’weiss\u200b", "OWEISS", "\u202djörg\u00a0oweiß\u202c"]) {
    const page = await site(`/admin/players?q=${encodeURIComponent(words)}`, { cookie });
    expect([words, (await page.text()).includes(playerId)]).toEqual([words, words !== "joerg"]);
  }
});
