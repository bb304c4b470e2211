import { beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "#test/accounts.ts";
import { aBrowser } from "#test/push-service.ts";
import { hoursLater, NOW } from "#test/fixtures.ts";
import { useSettings } from "#test/settings.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { SWITCHES } from "#app/notices.server.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { findSettings } from "#app/features/notifications/settings.server.ts";
import { loader } from "./notifications.tsx";

const settings = useSettings();
let site: AskSite;
beforeAll(async () => {
  site = await openSite(settings.app);
});

const PAGE = "/settings/notifications";
const post = (cookie: string, fields: string[][] | Record<string, string>, ask = site) =>
  ask(PAGE, { cookie, body: new URLSearchParams(fields) });
const stored = (userId: string) => findSettings(settings.app.db, userId, SWITCHES);

const ENDPOINT = "https://fcm.googleapis.com/fcm/send/";
const subscription = (name: string, keys = aBrowser().keys) =>
  JSON.stringify({ endpoint: ENDPOINT + name, expirationTime: null, keys });
const turnOn = (cookie: string, text: string) =>
  post(cookie, { intent: "device-on", subscription: text });

async function devicesOf(userId: string) {
  const devices = settings.app.db.selectFrom("push_subscriptions").selectAll();
  return devices.where("user_id", "=", userId).orderBy("created_at").orderBy("id").execute();
}
const isOnFor = async (cookie: string) =>
  (await settings.open(loader, "/notifications", cookie)).data;

test("everything is on at first, and stays as it is saved", async () => {
  const { userId, cookie } = await settings.player();
  const { userId: other } = await settings.player();
  const html = await (await site(PAGE, { cookie })).text();
  expect(html.match(/type="checkbox"/g)).toHaveLength(13);
  expect(html.match(/checked=""/g)).toHaveLength(13);
  expect([html.split(">Always<").length, html.split(">None<").length]).toEqual([3, 4]);
  expect(html).toContain('aria-label="Reminder the day before by email"');
  expect(html).toContain('aria-label="Spot held for you by push"');
  expect(html).not.toContain('aria-label="Spot held for you by email"');
  const ticked = [
    ["intent", "save"],
    ["email", "soon"],
    ["email", "game-changed"],
    ["push", "soon"],
  ];
  const response = await post(cookie, ticked);
  expect([response.status, response.headers.get("Location")]).toEqual([302, PAGE]);
  expect(await stored(userId)).toEqual({
    "day-before": { email: false, push: false },
    soon: { email: true, push: true },
    "game-changed": { email: true, push: false },
    "spot-offered": { email: true, push: false },
    "waitlist-booked": { email: true, push: false },
    "chat-organiser": { email: true, push: false },
    chat: { email: true, push: false },
    // Offered to organisers alone, so a player's form says nothing about it.
    "chat-any-game": { email: true, push: true },
    "credits-expiring": { email: false, push: false },
    news: { email: false, push: true },
  });
  expect((await (await site(PAGE, { cookie })).text()).match(/checked=""/g)).toHaveLength(3);
  expect((await stored(other)).soon).toEqual({ email: true, push: true });
});

test("with no box ticked all of it is off, and what nobody knows is ignored", async () => {
  const { userId, cookie } = await settings.player();
  await post(cookie, [
    ["intent", "save"],
    ["email", "money"],
    ["push", "security"],
  ]);
  const all = Object.entries(await stored(userId)).filter(([kind]) => kind !== "chat-any-game");
  const pushOnly = ["spot-offered", "waitlist-booked", "chat-organiser", "chat"];
  const isPushOnly = (kind: string) => pushOnly.includes(kind);
  const off = (kind: string) => ({ email: isPushOnly(kind), push: kind === "news" });
  expect(all).toEqual(all.map(([kind]) => [kind, off(kind)]));
  const rows = settings.app.db.selectFrom("notification_settings").select("kind");
  const kinds = (await rows.where("user_id", "=", userId).execute()).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(all.map(([kind]) => kind).toSorted());
});

test("an organiser has a switch for the chats of all games, which players do not see", async () => {
  const { userId, cookie, email } = await settings.player();
  const label = 'aria-label="Players write in any game by push"';
  expect(await (await site(PAGE, { cookie })).text()).not.toContain(label);
  await makeAdmin(settings.app.db, email, "command");
  expect(await (await site(PAGE, { cookie })).text()).toContain(label);
  await post(cookie, { intent: "save" });
  expect((await stored(userId))["chat-any-game"]).toEqual({ email: true, push: false });
});

test("without keys for push there are only emails, and what was chosen for push stays", async () => {
  const { userId, cookie } = await settings.player();
  await post(cookie, [
    ["intent", "save"],
    ["email", "soon"],
    ["push", "day-before"],
  ]);
  const { app } = settings;
  const ask = await openSite({ ...app, env: { ...app.env, vapid: null } });
  const html = await (await ask(PAGE, { cookie })).text();
  expect(html).not.toContain("by push");
  expect(html).not.toContain("This device");
  expect(html).not.toContain("Spot held for you");
  await post(
    cookie,
    [
      ["intent", "save"],
      ["email", "day-before"],
    ],
    ask,
  );
  expect(await stored(userId)).toMatchObject({
    "day-before": { email: true, push: true },
    soon: { email: false, push: false },
  });
});

describe("a device", () => {
  test("is turned on for its session, and off again", async () => {
    const { userId, cookie } = await settings.player();
    const elsewhere = await signIn(settings.app, userId);
    const keys = aBrowser().keys;
    expect((await turnOn(cookie, subscription("one", keys))).status).toBe(302);
    expect(await devicesOf(userId)).toMatchObject([{ endpoint: `${ENDPOINT}one`, ...keys }]);
    expect(await isOnFor(cookie)).toMatchObject({ push: { isOnHere: true } });
    expect(await isOnFor(elsewhere)).toMatchObject({ push: { isOnHere: false } });
    expect((await post(cookie, { intent: "device-off" })).status).toBe(302);
    expect(await devicesOf(userId)).toEqual([]);
    expect((await post(cookie, { intent: "device-off" })).status).toBe(302);
  });

  test("that is turned on again is one device, with its newest address", async () => {
    const { userId, cookie } = await settings.player();
    for (const name of ["first", "second", "second"]) await turnOn(cookie, subscription(name));
    expect((await devicesOf(userId)).map(({ endpoint }) => endpoint)).toEqual([
      `${ENDPOINT}second`,
    ]);
  });

  test("belongs to the player who turned it on last", async () => {
    const [before, after] = [await settings.player(), await settings.player()];
    await turnOn(before.cookie, subscription("shared"));
    const [{ id } = { id: "" }] = await devicesOf(before.userId);
    await turnOn(after.cookie, subscription("shared"));
    expect(await devicesOf(before.userId)).toEqual([]);
    const [device] = await devicesOf(after.userId);
    expect(device?.id).not.toBe(id);
  });

  test("goes with a sign-out, with a session ended from elsewhere, and with another sign-in", async () => {
    const { userId, cookie } = await settings.player();
    await turnOn(cookie, subscription("out"));
    await site("/sign-out", { cookie, method: "POST" });
    expect(await devicesOf(userId)).toEqual([]);
    const [here, there] = [await signIn(settings.app, userId), await signIn(settings.app, userId)];
    await turnOn(here, subscription("ended"));
    await site("/settings/sessions", {
      cookie: there,
      body: new URLSearchParams({ intent: "end-others" }),
    });
    expect(await devicesOf(userId)).toEqual([]);
    await turnOn(there, subscription("again"));
    const other = await settings.player();
    const body = new URLSearchParams({ intent: "sign-in", email: other.email, password: PASSWORD });
    expect((await site("/auth", { cookie: there, body })).status).toBe(302);
    expect(await devicesOf(userId)).toEqual([]);
  });

  test("more than ten of a player are the ten newest", async () => {
    const { userId } = await settings.player();
    const { app } = settings;
    for (let n = 0; n < 11; n += 1) {
      const later = { ...app, now: () => hoursLater(n / 60) };
      const ask = await openSite(later);
      const fields = { intent: "device-on", subscription: subscription(`n${n}`) };
      await post(await signIn(app, userId), fields, ask);
    }
    const devices = await devicesOf(userId);
    expect(devices).toHaveLength(10);
    expect(devices[0]?.endpoint).toBe(`${ENDPOINT}n1`);
    expect(devices[0]!.created_at > NOW).toBe(true);
  });

  test("is stored as its address is read, without what a text may hide in it", async () => {
    const { userId, cookie } = await settings.player();
    expect((await turnOn(cookie, subscription("a\u0000b\r\nc "))).status).toBe(302);
    expect((await devicesOf(userId)).map(({ endpoint }) => endpoint)).toEqual([
      `${ENDPOINT}a%00bc`,
    ]);
  });

  const { p256dh, auth } = aBrowser().keys;
  test.each([
    ["no JSON", "{"],
    ["no object", "null"],
    ["no keys", JSON.stringify({ endpoint: `${ENDPOINT}x` })],
    ["a short secret", subscription("x", { p256dh, auth: "AAAA" })],
    ["a key that is no point", subscription("x", { p256dh: `BB${"A".repeat(85)}`, auth })],
    ["a short key", subscription("x", { p256dh: "BAAA", auth })],
    ["an address that is too long", subscription("x".repeat(1_000))],
  ])("with %s is not stored", async (_, text) => {
    const { userId, cookie } = await settings.player();
    const response = await turnOn(cookie, text);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("This browser did not say where");
    expect(await devicesOf(userId)).toEqual([]);
  });

  test("whose service nobody knows is not stored, so that the server asks no other address", async () => {
    const { userId, cookie } = await settings.player();
    for (const endpoint of [
      "https://169.254.169.254/",
      "http://localhost:5432/",
      "https://a.example/",
    ]) {
      const response = await turnOn(cookie, JSON.stringify({ endpoint, keys: aBrowser().keys }));
      expect(response.status, endpoint).toBe(422);
      expect(await response.text()).toContain("Notifications do not work in this browser");
    }
    expect(await devicesOf(userId)).toEqual([]);
    expect((await post(cookie, { intent: "device-on" })).status).toBe(422);
  });
});

test("a visitor sees none of it, and changes nothing", async () => {
  for (const body of [undefined, new URLSearchParams({ intent: "save" })]) {
    const response = await site(PAGE, body ? { body } : {});
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
  }
});
