import { beforeAll, expect, test } from "vitest";
import { addAccount, FORMER_HASH, PASSWORD, waitingJobs } from "#test/accounts.ts";
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

test("a password pasted with space or a line break around it signs in", async () => {
  const { email, userId } = await addAccount(app);
  const enter = (password: string) => post("/auth", { intent: "sign-in", email, password });
  const account = app.db.updateTable("accounts").set({ password: FORMER_HASH });
  await account.where("user_id", "=", userId).execute();
  for (const password of [`${PASSWORD} `, `\u00a0${PASSWORD}\r\n`, PASSWORD]) {
    expect([password, (await enter(password)).status]).toEqual([password, 302]);
  }
  expect((await enter(`${PASSWORD} x`)).status).toBe(401);
});

test("a password that was pasted into a sign-up with a space is the one without it", async () => {
  const email = `${crypto.randomUUID()}@uni.example`;
  const sent = await post("/auth?tab=sign-up", {
    ...{ intent: "sign-up", email, password: " Pitch4side\n" },
    ...{ firstName: "Ann", lastName: "Lee", major: "Physics" },
    ...{ dateOfBirth: "2000-01-31", schoolYear: "Bachelor" },
  });
  expect(sent.status).toBe(200);
  const { token } = (await waitingJobs(database.pool, "confirm-address")).at(-1)!;
  for (const [password, status] of [
    ["Pitch4sid", 422],
    ["Pitch4side", 302],
  ] as const) {
    const confirmed = await post(`/auth/confirm?token=${token}`, { token, password });
    expect([password, confirmed.status]).toEqual([password, status]);
  }
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
