import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { eventsOf } from "#test/calendar.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aPlayer, NOW } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { PER_ADDRESS_AND_MINUTE } from "#app/features/accounts/rules.ts";
import { createAddressLimits } from "#app/features/accounts/throttles.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
let player: { id: string; cookie: string };
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ask = await openSite(app);
});
beforeEach(async () => {
  player = await someone();
});

async function someone() {
  const id = await aPlayer(app.db, { credits: 50 });
  return { id, cookie: await signIn(app, id) };
}

async function aJoinedGame(wish: Parameters<typeof aGame>[1] = {}) {
  const gameId = await aGame(app.db, wish);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId: player.id, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return gameId;
}

describe("the calendar file of a game", () => {
  test("is one event, for visitors too, with the headers that calendars go by", async () => {
    const gameId = await aGame(app.db);
    const response = await ask(`/events/${gameId}.ics`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe(
      "text/calendar; charset=utf-8; method=PUBLISH",
    );
    expect(response.headers.get("Content-Disposition")).toBe('inline; filename="game.ics"');
    expect(response.headers.get("Cache-Control")).toMatch(/^private/);
    expect(eventsOf(await response.text())).toMatchObject([{ uid: gameId, status: "CONFIRMED" }]);
  });

  test("is missing wherever the page of the game is", async () => {
    const off = await aJoinedGame();
    await cancelGame(app.db, app.jobs, { gameId: off, now: NOW });
    const draft = await aGame(app.db, { status: "Draft" });
    const admin = await signIn(app, (await anAdmin(app)).id);
    const cookies = [undefined, player.cookie, (await someone()).cookie, admin];
    for (const gameId of [off, draft, "1", crypto.randomUUID()]) {
      for (const cookie of cookies) {
        const page = await ask(`/events/${gameId}`, { cookie });
        expect((await ask(`/events/${gameId}.ics`, { cookie })).status).toBe(page.status);
      }
    }
    const response = await ask(`/events/${off}.ics`, { cookie: player.cookie });
    expect(eventsOf(await response.text())).toMatchObject([{ uid: off, status: "CANCELLED" }]);
  });
});

const PAGE = "/settings/calendar";
const post = (intent: string, cookie = player.cookie) =>
  ask(PAGE, { cookie, body: new URLSearchParams({ intent }) });

/** The path of the feed that the settings show. */
async function pathShown(cookie = player.cookie): Promise<string | undefined> {
  const page = await (await ask(PAGE, { cookie })).text();
  const [, path] = /value="http:\/\/kickabout\.test(\/calendar\/[\w-]{22}\.ics)"/.exec(page) ?? [];
  return path;
}

describe("one's own calendar", () => {
  test("is off at first; turned on, its address needs no cookie", async () => {
    expect(await pathShown()).toBeUndefined();
    expect((await post("turn-on")).status).toBe(302);
    const path = (await pathShown())!;
    const gameId = await aJoinedGame({ player_notes: "Gate 7137" });
    const feed = await ask(path);
    expect(feed.status).toBe(200);
    expect(feed.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(feed.headers.get("Cache-Control")).toBe("private, no-cache");
    const [event, ...others] = eventsOf(await feed.text());
    expect([event?.uid, others]).toEqual([gameId, []]);
    expect(event?.description).toContain("Gate 7137");
    await post("turn-on");
    expect(await pathShown()).toBe(path);
  });

  test("is not sent again while nothing has changed", async () => {
    await post("turn-on");
    const path = (await pathShown())!;
    const tag = (await ask(path)).headers.get("ETag")!;
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const again = await ask(path, { headers: { "If-None-Match": known } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
      expect(again.headers.get("ETag")).toBe(tag);
    }
    await aJoinedGame();
    const changed = await ask(path, { headers: { "If-None-Match": tag } });
    expect(changed.status).toBe(200);
    expect(eventsOf(await changed.text())).toHaveLength(1);
  });

  test("has another address after a renewal, and none once it is off", async () => {
    await post("turn-on");
    const old = (await pathShown())!;
    expect((await post("renew")).status).toBe(302);
    const path = (await pathShown())!;
    expect(path).not.toBe(old);
    expect([(await ask(old)).status, (await ask(path)).status]).toEqual([404, 200]);
    expect((await post("turn-off")).status).toBe(302);
    expect([(await ask(path)).status, await pathShown()]).toEqual([404, undefined]);
    expect((await post("renew")).status).toBe(409);
    expect(await pathShown()).toBeUndefined();
    expect((await post("other")).status).toBe(400);
  });

  test("leads to the calendars of this device, Google and Outlook", async () => {
    await post("turn-on");
    const path = (await pathShown())!;
    const page = await (await ask(PAGE, { cookie: player.cookie })).text();
    expect(page).toContain(`href="webcal://kickabout.test${path}"`);
    const webcal = encodeURIComponent(`webcal://kickabout.test${path}`);
    expect(page).toContain(`href="https://calendar.google.com/calendar/r?cid=${webcal}"`);
    const https = encodeURIComponent(`http://kickabout.test${path}`);
    expect(page).toContain(
      `href="https://outlook.live.com/calendar/0/addfromweb?url=${https}&amp;name=Kickabout"`,
    );
  });

  // Google's calendar reads no address that robots.txt excludes.
  test("may be read by programs", async () => {
    expect(await (await ask("/robots.txt")).text()).not.toMatch(/Disallow: \/(calendar|events)/);
  });

  test("keeps its address out of the log when something breaks", async () => {
    await post("turn-on");
    const path = (await pathShown())!;
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const count = () => Promise.reject(new Error("broken"));
    const accounts = { ...app.accounts, limits: { count } };
    const broken = await openSite({ ...app, accounts });
    expect((await broken(path)).status).toBe(500);
    expect(logged).toHaveBeenCalledWith(
      { err: expect.any(Error), path: "/calendar/…" },
      "request failed",
    );
  });

  test("answers 429 to an address that asks too often", async () => {
    const limits = createAddressLimits(database.pool, "secret");
    const busy = await openSite({ ...app, accounts: { ...app.accounts, limits } });
    const path = `/calendar/${"a".repeat(22)}.ics`;
    for (let n = 0; n < PER_ADDRESS_AND_MINUTE.calendar; n += 1) {
      await limits.count("calendar", "192.0.2.7");
    }
    const response = await busy(path, { address: "192.0.2.7" });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await busy(path, { address: "192.0.2.8" })).status).toBe(404);
  });
});
