import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn, toastAfter, visit } from "#test/visit.ts";
import { aGame, ada, hoursLater, NOW } from "#test/fixtures.ts";
import { openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markAttendance } from "#app/features/roster/roster.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader as bookings } from "#app/routes/bookings/list.tsx";
import { loader as list } from "./list.tsx";
import { action, loader } from "./show.tsx";

const database = useDatabase();
let app: App;
let now = NOW;
let admin: Awaited<ReturnType<typeof anAdmin>>;
let playerId: string;
beforeAll(async () => {
  app = testApp(database, () => now);
  admin = await anAdmin(app);
});
beforeEach(async () => {
  now = NOW;
  playerId = await ada(app.db);
});

async function search(query: string) {
  const path = `/admin/players${query}`;
  return (await visit(app, list, { path, cookie: admin.cookie })).data;
}
async function open(id = playerId) {
  const path = `/admin/players/${id}`;
  return { page: (await visit(app, loader, { path, cookie: admin.cookie })).data };
}
async function post(fields: Record<string, string>, { id = playerId } = {}) {
  const request = { path: `/admin/players/${id}`, cookie: admin.cookie, body: fields };
  const { status, headers, data } = await visit(app, action, request);
  const toast = await toastAfter(app, headers);
  return { status, to: headers.get("Location"), toast, result: data as FormResult | null };
}

/** A game that was yesterday. */
async function aNoShow(startsIn = -24) {
  const gameId = await aGame(app.db, { startsIn });
  const before = hoursLater(startsIn - 30);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now: before });
  if (!joined.ok) throw new Error(joined.reason);
  const { bookingId } = joined;
  const mark = { gameId, bookingId, actorId: admin.id, from: null, to: "NoShow" as const };
  await markAttendance(app.db, { ...mark, now: NOW });
  return { gameId, bookingId };
}

test("shows suspended players, admins, or those with no-shows alone", async () => {
  const idsOf = async (query: string) => {
    const { players, filter } = await search(query);
    expect(filter.show).toBe(new URLSearchParams(query).get("show"));
    return (players as { id: string }[]).map(({ id }) => id);
  };
  expect(await idsOf("?show=no-shows")).toEqual([]);
  await aNoShow();
  await aNoShow();
  await post({ intent: "suspend", confirmed: "1", reason: "Fights" });
  expect(await idsOf("?show=suspended")).toEqual([playerId]);
  expect(await idsOf("?show=suspended&q=nobody")).toEqual([]);
  expect(await idsOf("?show=no-shows&q=ada")).toEqual([playerId]);
  expect(await idsOf("?show=admins")).toEqual([admin.id]);
  const { players } = await search("?show=no-shows");
  expect(players).toMatchObject([{ noShows: "2 no-shows", isSuspended: true }]);
  expect((await search("?show=everybody")).filter.show).toBe("");
  await post({ intent: "unsuspend" });
  expect(await idsOf("?show=suspended")).toEqual([]);
});

describe("no-shows", () => {
  test("stand on the page with their games, and can be excused and counted again", async () => {
    const { gameId, bookingId } = await aNoShow();
    expect((await open()).page).toMatchObject({
      noShows: { count: "1 no-show", list: [{ bookingId, gameId, when: "Nov 20, 2026, 12:00" }] },
      earlier: [{ gameId, attendance: { text: "No-show" } }],
    });
    const fields = { intent: "excuse", bookingId };
    expect(await post({ ...fields, note: " " })).toMatchObject({
      status: 422,
      result: { form: "excuse", values: { bookingId }, fieldErrors: { note: "Note is required" } },
    });
    const excused = await post({ ...fields, note: "Ill, called us" });
    expect(excused).toMatchObject({
      to: `/admin/players/${playerId}#no-shows`,
      toast: { title: "No-show excused" },
    });
    const { noShows, earlier } = (await open()).page;
    expect(noShows).toMatchObject({ count: null, list: [{ excuse: "Ill, called us" }] });
    expect(noShows?.list[0]?.excused).toMatch(/^Excused by Ben .*, Nov 21, 2026, 12:00$/);
    expect(earlier[0]?.attendance?.text).toBe("Excused");
    expect((await post({ ...fields, note: "Another" })).status).toBe(409);
    expect((await post({ ...fields, intent: "unexcuse" })).status).toBe(302);
    expect((await open()).page.noShows?.count).toBe("1 no-show");
  });

  test("have a note that is text, and the page's games lead to admin", async () => {
    const { gameId, bookingId } = await aNoShow();
    await post({ intent: "excuse", bookingId, note: "<script>alert(1)</script>" });
    const site = await openSite(app);
    const page = await site(`/admin/players/${playerId}`, { cookie: admin.cookie });
    const html = await page.text();
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toContain("<script>alert(1)");
    // The row of the list, the mark, and the entry of the statement.
    expect(html.match(new RegExp(`href="/admin/games/${gameId}"`, "g"))).toHaveLength(3);
    expect(html).not.toContain(`href="/events/${gameId}"`);
  });

  test("of another player cannot be excused here", async () => {
    const { bookingId } = await aNoShow();
    const at = { id: await ada(app.db) };
    const { status } = await post({ intent: "excuse", bookingId, note: "No" }, at);
    expect(status).toBe(404);
  });

  test("a player who has none reads nothing of them", async () => {
    expect((await open()).page.noShows).toBeNull();
  });
});

describe("the player reads in My Games", () => {
  const notice = async () => {
    const cookie = await signIn(app, playerId);
    const { data } = await visit(app, bookings, { path: "/bookings", cookie });
    return (data as { noShows: string | null }).noShows;
  };

  test("how many count and until when, without those that are excused", async () => {
    expect(await notice()).toBeNull();
    const { bookingId } = await aNoShow();
    expect(await notice()).toBe("1 no-show in the last 90 days. It no longer counts from Feb 18.");
    await aNoShow(-240);
    expect(await notice()).toBe(
      "2 no-shows in the last 90 days. The first no longer counts from Feb 9, the last from Feb 18.",
    );
    await post({ intent: "excuse", bookingId, note: "Ill" });
    expect(await notice()).toBe("1 no-show in the last 90 days. It no longer counts from Feb 9.");
    now = hoursLater(81 * 24);
    expect(await notice()).toBeNull();
  });

  test("that they may write to us, and never the organiser's note", async () => {
    const { bookingId } = await aNoShow();
    await aNoShow();
    await post({ intent: "excuse", bookingId, note: "Said he was ill" });
    const site = await openSite(app);
    const response = await site("/bookings", { cookie: await signIn(app, playerId) });
    const html = await response.text();
    expect(html).toContain("1 no-show in the last 90 days");
    expect(html).toContain('href="/settings/contact-support"');
    expect(html).not.toContain("Said he was ill");
  });
});
