import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { toastAfter, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { ada, aGame, aPlayer, bookingsOf, hoursLater, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader as csv } from "./players-file.ts";
import { loader as print } from "./print.tsx";
import type { RosterResult } from "./roster-actions.server.ts";
import type { Roster } from "#app/routes/admin/games/game-view.server.ts";
import { action, loader } from "#app/routes/admin/games/show.tsx";

const database = useDatabase();
let app: App;
let cookie: string;
let now = NOW;
beforeAll(async () => {
  app = testApp(database, () => now);
  ({ cookie } = await anAdmin(app));
});

const at = (gameId: string) => ({ path: `/admin/games/${gameId}`, cookie });
const open = async (gameId: string) =>
  ((await visit(app, loader, at(gameId))).data as { roster: Roster }).roster;
async function post(gameId: string, body: Record<string, string>) {
  const { status, headers, data } = await visit(app, action, { ...at(gameId), body });
  return { status, location: headers.get("Location"), result: data as RosterResult | null };
}

/** The same beside the page. */
async function tapBeside(gameId: string, body: Record<string, string>) {
  const site = await openSite(app);
  const request = { cookie, body: new URLSearchParams(body) };
  const response = await site(`/admin/games/${gameId}/tap`, request);
  return { status: response.status, result: await response.json() };
}
const attendanceIn = async (gameId: string) => (await open(gameId)).players[0]?.attendance;

/** Ada in a game, seen at an instant. */
async function aRoster(seenAt = NOW, startsIn = 1, is_first_session_free = false) {
  now = NOW;
  const gameId = await aGame(app.db, { startsIn, is_first_session_free });
  const playerId = await ada(app.db);
  const joined = await joinGame(app.db, app.jobs, { gameId, playerId, now });
  if (!joined.ok) throw new Error(joined.reason);
  now = seenAt;
  return { gameId, playerId, bookingId: joined.bookingId };
}

describe("the roster", () => {
  test("shows who is in, with the phone, and what can be done now", async () => {
    const { gameId, playerId } = await aRoster();
    const facts = { phone: "+358 40 123 4567", position: "MID" as const };
    await app.db.updateTable("profiles").set(facts).where("user_id", "=", playerId).execute();
    expect(await open(gameId)).toMatchObject({
      heading: "Indoor futsal, Sat, Nov 21, 2026, 13:00",
      place: "Campus Hall, Espoo",
      canMark: true,
      canRecord: false,
      spots: 9,
      players: [
        {
          name: expect.stringMatching(/^Ada /),
          phone: "+358 40 123 4567",
          position: "Midfielder",
          paymentStatus: "Paid",
          refund: "Give 10 credits back",
        },
      ],
    });
    now = hoursLater(2);
    expect(await open(gameId)).toMatchObject({ canMark: true, canRecord: true });
    now = hoursLater(-1);
    expect(await open(gameId)).toMatchObject({ canMark: false });
  });

  test("of no game is 404, on paper and as a file too", async () => {
    for (const gameId of ["x", crypto.randomUUID()]) {
      expect((await visit(app, loader, at(gameId))).status).toBe(404);
      const below = (page: string) => ({ path: `/admin/games/${gameId}/${page}`, cookie });
      expect((await visit(app, print, below("print"))).status).toBe(404);
      expect((await visit(app, csv, below("players.csv"))).status).toBe(404);
      const tap = { intent: "attendance", bookingId: gameId, from: "", to: "CheckedIn" };
      expect((await post(gameId, tap)).status).toBe(404);
    }
  });
});

describe("a tap", () => {
  test("as a plain form leads back to the row, by script it returns what the row has become", async () => {
    const { gameId, bookingId } = await aRoster();
    const tap = { intent: "attendance", bookingId, from: "", to: "CheckedIn" };
    const plain = await post(gameId, tap);
    expect([plain.status, plain.location]).toEqual([
      302,
      `/admin/games/${gameId}#seat-${bookingId}`,
    ]);
    const result = { ok: true, current: "CheckedIn", version: 1 };
    expect(await tapBeside(gameId, tap)).toEqual({ status: 200, result });
    expect(await attendanceIn(gameId)).toBe("CheckedIn");
  });

  test("after somebody else's says what is marked now", async () => {
    const { gameId, bookingId } = await aRoster();
    const tap = { intent: "attendance", bookingId, from: "", to: "CheckedIn" };
    await post(gameId, tap);
    const late = await tapBeside(gameId, { ...tap, to: "NoShow" });
    const problem = 'Not saved: somebody else has changed it to "Checked in".';
    const current = "CheckedIn";
    expect(late).toEqual({ status: 409, result: { ok: false, problem, current, version: 1 } });
    expect(await post(gameId, { ...tap, to: "NoShow" })).toMatchObject({
      result: { formError: problem },
    });
  });

  test("on a mark that was changed and changed back says so, as a plain form too", async () => {
    const { gameId, bookingId } = await aRoster();
    const tap = { intent: "attendance", bookingId, from: "", to: "CheckedIn" };
    const shown = String((await open(gameId)).players[0]!.markVersion);
    await post(gameId, tap);
    await post(gameId, { ...tap, from: "CheckedIn", to: "" });
    const late = { ...tap, version: shown };
    const problem = "Not saved: somebody else has changed it meanwhile.";
    const result = { ok: false, problem, current: null, version: 2 };
    expect(await tapBeside(gameId, late)).toEqual({ status: 409, result });
    expect(await post(gameId, late)).toMatchObject({ result: { formError: problem } });
    expect(await attendanceIn(gameId)).toBeNull();
  });

  test.each([
    { intent: "attendance", to: "Late" },
    { intent: "attendance", to: "CheckedIn", from: "\0" },
    { intent: "Attendance" },
    {},
  ])("%j is none", async (fields) => {
    const { gameId, bookingId } = await aRoster();
    const body = { bookingId, ...fields } as Record<string, string>;
    expect((await post(gameId, body)).status).toBe(400);
    expect((await tapBeside(gameId, body)).status).toBe(400);
    expect(await attendanceIn(gameId)).toBeNull();
  });
});

describe("adding by name", () => {
  // A form is pending where its hidden fields are the ones sent: one without a choice would be too.
  test("the forms of the search and of each choice differ in their hidden fields", async () => {
    const { gameId } = await aRoster();
    await Promise.all([1, 2].map(() => aPlayer(app.db, { name: "Ägir" })));
    const site = await openSite(app);
    const body = new URLSearchParams({ intent: "add", who: "ägi" });
    const html = await (await site(`/admin/games/${gameId}`, { cookie, body })).text();
    const forms = html.match(/<form[\s\S]*?<\/form>/g)!.filter((form) => form.includes('"add"'));
    const choices = forms.map((form) => /name="playerId" value="([^"]*)"/.exec(form)?.[1]);
    expect(choices).toHaveLength(3);
    expect(new Set(choices).size).toBe(3);
    expect(choices).not.toContain(undefined);
  });

  test("a whole name adds, a beginning asks who it is, and the choice adds", async () => {
    const { gameId } = await aRoster();
    const ids = await Promise.all([1, 2].map(() => aPlayer(app.db, { name: "Öykü" })));
    const last = { last_name: "Ünsal" };
    await app.db.updateTable("profiles").set(last).where("user_id", "=", ids[0]!).execute();
    const asked = await post(gameId, { intent: "add", who: "oyk" });
    expect(asked.status).toBe(422);
    expect(asked.result?.choices?.map(({ playerId }) => playerId).toSorted()).toEqual(
      ids.toSorted(),
    );
    expect((await post(gameId, { intent: "add", who: "öykü UNSAL" })).status).toBe(302);
    expect((await post(gameId, { intent: "add", playerId: ids[1]! })).status).toBe(302);
    expect(await bookingsOf(app.db, gameId)).toHaveLength(3);
    expect(await post(gameId, { intent: "add", playerId: ids[1]! })).toMatchObject({
      status: 409,
      result: { formError: "This player is in the game already." },
    });
  });

  test("who is meant is asked in a group that can take the focus", async () => {
    const { gameId } = await aRoster();
    await Promise.all([1, 2].map(() => aPlayer(app.db, { name: "Quirin" })));
    const body = new URLSearchParams({ intent: "add", who: "quir" });
    const asked = await (await openSite(app))(`/admin/games/${gameId}`, { cookie, body });
    expect(await asked.text()).toMatch(
      /tabindex="-1" autofocus="" role="group" aria-label="Who is it\?"/i,
    );
  });

  test.each([
    ["", "Enter a name or an email address"],
    ["%", "No player has this name or email address."],
    ["nobody@uni.example", "No player has this name or email address."],
    ["Zzz\0zz", "No player has this name or email address."],
  ])("%j", async (who, message) => {
    const { gameId } = await aRoster();
    expect(await post(gameId, { intent: "add", who })).toMatchObject({
      status: 422,
      result: { fieldErrors: { who: message }, values: { who } },
    });
  });
});

describe("the other forms", () => {
  test("a removal says whether anything is given back", async () => {
    const { gameId, bookingId } = await aRoster();
    const removal = { intent: "remove", bookingId };
    expect((await post(gameId, removal)).status).toBe(422);
    expect((await post(gameId, { ...removal, refund: "full" })).location).toBe(
      `/admin/games/${gameId}`,
    );
    expect((await post(gameId, { ...removal, refund: "full" })).status).toBe(409);
  });

  test.each([
    [false, "full", "10 credits given back."],
    [true, "full", "Free session given back."],
    [true, "none", "Nothing given back."],
  ])("a removal's toast (free: %s, refund: %s) says: %s", async (isFree, refund, description) => {
    const { gameId, bookingId } = await aRoster(NOW, 1, isFree);
    const body = { intent: "remove", bookingId, refund };
    const { headers } = await visit(app, action, { ...at(gameId), body });
    expect(await toastAfter(app, headers)).toMatchObject({
      title: "Player removed",
      description: `${description} The player is notified by email.`,
    });
  });

  test("a message keeps what was written until it is right", async () => {
    const { gameId } = await aRoster();
    const { messageId } = await open(gameId);
    const message = { intent: "message", messageId, subject: " ", message: "Hi" };
    expect(await post(gameId, message)).toMatchObject({
      status: 422,
      result: { fieldErrors: { subject: "Subject is required" }, values: { message: "Hi" } },
    });
    expect((await post(gameId, { ...message, subject: "Hi" })).status).toBe(302);
  });

  test("the page's forms leave checking to the server, which names each field", async () => {
    const { gameId, bookingId } = await aRoster(hoursLater(2));
    const site = await openSite(app);
    const goals = `goals-${bookingId}`;
    const body = new URLSearchParams({ intent: "result", firstScore: "", [goals]: "x" });
    const html = await (await site(`/admin/games/${gameId}`, { cookie, body })).text();
    const main = html.split("<main")[1]!.split("</main")[0]!;
    const forms = [...main.matchAll(/<form[^>]* method="post"[^>]*>.*?<\/form>/gs)].map(
      ([form]) => form,
    );
    const typed = forms.filter((form) => form.includes("required"));
    expect(typed.length).toBeGreaterThan(2);
    expect(typed.filter((form) => !/^<form[^>]* noValidate/.test(form))).toEqual([]);
    for (const id of ["firstScore", goals]) {
      expect(main).toMatch(new RegExp(`<p id="${id}-error"[^>]*>Enter a number from 0 to 99<`));
    }
  });

  test("a result shows the slower of two admins what differs", async () => {
    const { gameId, bookingId } = await aRoster(hoursLater(3));
    const result = { intent: "result", version: "0", firstScore: "2", secondScore: "1" };
    const first = { ...result, [`goals-${bookingId}`]: "2", [`won-${bookingId}`]: "on" };
    expect((await post(gameId, first)).status).toBe(302);
    const second = await post(gameId, { ...result, secondScore: "0", [`goals-${bookingId}`]: "" });
    expect(second).toMatchObject({
      status: 409,
      result: {
        values: { secondScore: "0" },
        conflict: {
          version: 1,
          differences: [
            { label: "Score", theirs: "2–1", yours: "2–0" },
            { theirs: "2 goals, won", yours: "0 goals, did not win" },
          ],
        },
      },
    });
    expect(
      (await post(gameId, { ...result, version: "1", firstScore: "x" })).result?.fieldErrors,
    ).toEqual({ firstScore: "Enter a number from 0 to 99" });
    expect((await open(gameId)).result).toMatchObject({ firstScore: 2, secondScore: 1 });
  });
});

test("the file runs no formula", async () => {
  const { gameId, playerId } = await aRoster();
  const name = { first_name: "-Ada", last_name: "Li", email: "+ada@uni.example" };
  const facts = { ...name, phone: "=1+1", position: "GK" as const };
  await app.db.updateTable("profiles").set(facts).where("user_id", "=", playerId).execute();
  const file = await (await openSite(app))(`/admin/games/${gameId}/players.csv`, { cookie });
  expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("Content-Disposition")).toContain('"players-2026-11-21.csv"');
  expect((await file.text()).replace("\uFEFF", "")).toBe(
    "name,position,phone,email,status,attendance,goals,price,unpaid amount," +
      "paid by hand,method,given back\r\n" +
      "'-Ada Li,Goalkeeper,'=1+1,'+ada@uni.example,Paid,,,10.00,,,,\r\n",
  );
});
