import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, markDeleted, NOW } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { SWITCHES } from "#app/notices.server.ts";
import { findSettings, unsubscribeToken } from "#app/features/notifications/settings.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { receiveRequest } from "#app/routes/receive-request.server.ts";

const database = useDatabase();
let app: App;
let site: AskSite;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  site = await openSite(app);
});

async function aLink() {
  const userId = await aPlayer(app.db);
  const path = `/unsubscribe/${unsubscribeToken(app.env.sessionSecret, { userId, kind: "soon" })}`;
  return { userId, path };
}
const settingsOf = (userId: string) => findSettings(app.db, userId, SWITCHES);
const ONE_CLICK = new URLSearchParams({ "List-Unsubscribe": "One-Click" });

test("opening the link says what it does and changes nothing", async () => {
  const { userId, path } = await aLink();
  const response = await site(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  const html = await response.text();
  expect(html).toContain("Turn these emails off?");
  expect(html).toContain("Reminder 3 hours before");
  expect(html).not.toContain("<script");
  expect((await settingsOf(userId)).soon!.email).toBe(true);
});

test("one click in the mail program turns this kind off, without cookies and without a redirect", async () => {
  const { userId, path } = await aLink();
  const response = await site(path, { body: ONE_CLICK });
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([]);
  const settings = await settingsOf(userId);
  expect(settings.soon).toEqual({ email: false, push: true });
  expect(settings["day-before"]).toEqual({ email: true, push: true });
});

test("the page's own button turns it off, and another one on again", async () => {
  const { userId, path } = await aLink();
  for (const [intent, isOn, says] of [
    ["switch-off", false, "These emails are off"],
    ["switch-off", false, "Turn on again"],
    ["switch-on", true, "Turn these emails off?"],
  ] as const) {
    const response = await site(path, { body: new URLSearchParams({ intent }) });
    expect(await response.text()).toContain(says);
    expect((await settingsOf(userId)).soon!.email).toBe(isOn);
  }
});

test("the link signs nobody in, and changes nobody else", async () => {
  const [{ path }, other] = [await aLink(), await aPlayer(app.db)];
  const cookie = await signIn(app, other);
  expect((await site(path, { body: ONE_CLICK, cookie })).status).toBe(200);
  expect((await settingsOf(other)).soon!.email).toBe(true);
});

describe("what is no link of ours", () => {
  test("is not found", async () => {
    const { path, userId } = await aLink();
    const { sessionSecret } = app.env;
    const other = path.at(-1) === "A" ? "B" : "A";
    for (const token of [
      "x",
      path.slice("/unsubscribe/".length, -1) + other,
      seal(sessionSecret, "job token", `${userId} soon`),
      seal(sessionSecret, "unsubscribe", `${userId} money`),
      seal(sessionSecret, "unsubscribe", "nobody soon"),
      seal("another secret of 32 characters!", "unsubscribe", `${userId} soon`),
      unsubscribeToken(sessionSecret, { userId: crypto.randomUUID(), kind: "soon" }),
    ]) {
      expect((await site(`/unsubscribe/${token}`)).status, token).toBe(404);
      expect((await site(`/unsubscribe/${token}`, { body: ONE_CLICK })).status).toBe(404);
    }
    expect((await settingsOf(userId)).soon!.email).toBe(true);
  });

  test("is the link of a deleted account", async () => {
    const { path, userId } = await aLink();
    await markDeleted(app.db, userId);
    expect((await site(path)).status).toBe(404);
    expect((await site(path, { body: ONE_CLICK })).status).toBe(404);
    const rows = app.db.selectFrom("notification_settings").select("kind");
    expect(await rows.where("user_id", "=", userId).execute()).toEqual([]);
  });
});

test("a mail program may post from anywhere, but to this address only", async () => {
  const { path } = await aLink();
  const statusOf = async (to: string) => {
    const headers = { Origin: "https://mail.example", "Sec-Fetch-Site": "cross-site" };
    const request = new Request(`http://kickabout.test${to}`, { method: "POST", headers });
    const received = await receiveRequest(app, request, "192.0.2.1");
    return received instanceof Response ? received.status : "received";
  };
  expect(await statusOf(path)).toBe("received");
  for (const to of [
    `${path}/`,
    `${path}/x`,
    "/unsubscribe",
    "/unsubscribe/",
    `/x${path}`,
    "/bookings",
  ]) {
    expect(await statusOf(to), to).toBe(403);
  }
});
