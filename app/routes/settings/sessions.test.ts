import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { deviceName } from "#app/features/accounts/sessions.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";

const database = useDatabase();
let app: App;
let site: AskSite;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  site = await openSite(app);
});

const ANDROID =
  "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) " +
  "Chrome/143.0.0.0 Mobile Safari/537.36";

/** A player who is signed in here, and on a phone since yesterday. */
async function twoDevices() {
  const userId = await aPlayer(app.db);
  const cookie = await signIn(app, userId);
  const since = { now: hoursLater(-24), userAgent: ANDROID };
  const opened = await app.accounts.openSession(userId, since);
  const phone = (await signInCookie(app.env, opened)).split(";")[0]!;
  const sessions = app.db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  const { id: phoneId } = await sessions
    .where("user_agent", "is not", null)
    .executeTakeFirstOrThrow();
  return { cookie, phone, phoneId };
}
const end = (cookie: string, fields: Record<string, string>) =>
  site("/settings/sessions", { cookie, body: new URLSearchParams(fields) });
const isIn = async (cookie: string) => (await site("/wallet", { cookie })).status === 200;

test("all own devices are listed by name, this one marked", async () => {
  const { cookie } = await twoDevices();
  const html = await (await site("/settings/sessions", { cookie })).text();
  const text = html
    .replace(/<(script|style).*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
  expect(text.match(/This device/g)).toHaveLength(1);
  expect(text).toContain("Chrome on Android");
  expect(text).toContain("Signed in Nov 20, 2026, 12:00 Last used Nov 20, 2026");
  expect(text.match(/Signed in Nov/g)).toHaveLength(2);
});

test("one device is signed out, also where the form is sent twice", async () => {
  const { cookie, phone, phoneId } = await twoDevices();
  expect(await isIn(phone)).toBe(true);
  for (const _ of [1, 2]) {
    const response = await end(cookie, { intent: "end", sessionId: phoneId });
    expect([response.status, response.headers.get("Location")]).toEqual([
      302,
      "/settings/sessions",
    ]);
  }
  expect([await isIn(phone), await isIn(cookie)]).toEqual([false, true]);
  const away = await site("/wallet", { cookie: phone });
  const set = away.headers.getSetCookie().map((line) => line.split(";")[0]!);
  expect(set).toContain("kickabout_session=");
  const front = { cookie: set.join("; ") };
  expect(await (await site("/", front)).text()).toContain("You were signed out on this device");
});

test("all others are signed out at once", async () => {
  const { cookie, phone } = await twoDevices();
  expect((await end(cookie, { intent: "end-others" })).status).toBe(302);
  expect([await isIn(phone), await isIn(cookie)]).toEqual([false, true]);
});

test("another person's device is not found, and stays signed in", async () => {
  const [mine, theirs] = [await twoDevices(), await twoDevices()];
  for (const sessionId of [theirs.phoneId, "x", ""]) {
    expect((await end(mine.cookie, { intent: "end", sessionId })).status).toBe(404);
  }
  expect(await isIn(theirs.phone)).toBe(true);
  expect((await end(mine.cookie, { intent: "else" })).status).toBe(400);
});

test.each([
  [ANDROID, "Chrome on Android"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  ["curl/8.5.0", "Unknown browser"],
  ["<script>", "Unknown browser"],
  [null, "Unknown browser"],
])("%s is %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
