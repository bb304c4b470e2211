import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, hoursLater, NOW } from "#test/fixtures.ts";
import { buttonsOf, headingsOf, textOf } from "#test/screen.tsx";
import { sizesOf, teamsOf } from "#test/teams.ts";
import { toastAfter } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { findLineup } from "#app/features/teams/lineups.server.ts";
import { findResult } from "#app/features/teams/record-result.server.ts";
import type { App } from "#app/routes/context.server.ts";

const database = useDatabase();
const teams = teamsOf(database);
let app: App;
let ask: AskSite;
let cookie: string;
let now = NOW;
beforeAll(async () => {
  app = testApp(database, () => now);
  ask = await openSite(app);
  ({ cookie } = await anAdmin(app));
});
afterEach(() => void (now = NOW));

const pathOf = (gameId: string) => `/admin/games/${gameId}/teams`;
const bodyOf = (html: string) => html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
async function open(path: string) {
  const response = await ask(path, { cookie });
  return { status: response.status, html: bodyOf(await response.text()) };
}
/** A form without JavaScript, of the teams as they are. */
async function post(gameId: string, intent: string, fields: Record<string, string> = {}) {
  const version = String(await teams.version(gameId));
  const body = new URLSearchParams({ intent, version, ...fields });
  const response = await ask(pathOf(gameId), { cookie, body });
  const toast = (await toastAfter(app, response.headers))?.title ?? null;
  const location = response.headers.get("Location");
  return { status: response.status, location, toast, html: bodyOf(await response.text()) };
}

async function aGameWithTeams(players = 4) {
  const game = await teams.aGameOf(players, { startsIn: 1 });
  await teams.make(game.gameId);
  return game;
}

describe("the page of a game's teams", () => {
  test("is linked from the game, and offers as many teams as there are players for", async () => {
    const { gameId } = await teams.aGameOf(6);
    expect((await open(`/admin/games/${gameId}`)).html).toContain(`href="${pathOf(gameId)}"`);
    const { html } = await open(pathOf(gameId));
    const options = [...html.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(options).toEqual(["2 teams", "3 teams"]);
    expect(buttonsOf(html)).toContain("Make teams");
    expect(buttonsOf(html)).not.toContain("Publish");
  });

  test("says how many players are missing, and of no game is 404", async () => {
    const { gameId } = await teams.aGameOf(3);
    const { html } = await open(pathOf(gameId));
    expect(textOf(html)).toContain("Teams need at least 4 players; 3 players so far.");
    expect((await open(pathOf(crypto.randomUUID()))).status).toBe(404);
    await cancelGame(app.db, app.jobs, { gameId, now: NOW });
    expect(textOf((await open(pathOf(gameId))).html)).toContain("This game does not take place.");
  });

  test("at the pitch two are made and published from the roster, and publishing leads back to it", async () => {
    const { gameId } = await teams.aGameOf(4, { startsIn: 1 });
    const roster = `/admin/games/${gameId}`;
    const { html } = await open(roster);
    expect(buttonsOf(html)).toContain("Make and publish two teams");
    const quick = await teams.aGameOf(4, { startsIn: 1 });
    const form = { count: "2", formKey: crypto.randomUUID(), next: "roster" };
    const posted = await post(quick.gameId, "make", { ...form, version: "0" });
    expect(posted.location).toBe(`/admin/games/${quick.gameId}`);
    const lineup = await findLineup(app.db, quick.gameId);
    expect(lineup).toMatchObject({ publishedAt: NOW, teams: [{}, {}] });
    expect(buttonsOf((await open(pathOf(quick.gameId))).html)).toContain("Unpublish");
    const made = await post(gameId, "make", { count: "2", formKey: crypto.randomUUID() });
    expect(made.location).toBe(pathOf(gameId));
    expect(buttonsOf((await open(roster)).html)).not.toContain("Make and publish two teams");
    const next = /name="next" value="([^"]*)"/.exec((await open(pathOf(gameId))).html)?.[1] ?? "";
    expect((await post(gameId, "publish", { next })).location).toBe(roster);
    expect((await post(gameId, "unpublish")).location).toBe(pathOf(gameId));
    const other = await teams.aGameOf(4, { startsIn: 48 });
    const early = await open(`/admin/games/${other.gameId}`);
    expect(buttonsOf(early.html)).not.toContain("Make and publish two teams");
  });

  test("shows each team with its players, and who is in none yet", async () => {
    const { gameId, players } = await aGameWithTeams();
    await teams.join(gameId, await ada(app.db));
    const { html } = await open(pathOf(gameId));
    expect(headingsOf(html, 3)).toEqual([
      ...["Not in a team yet", "Yellow", "Blue", "Make other teams", "Bibs"],
    ]);
    expect(textOf(html)).toContain("|2 players · level 50 of 100|");
    const keeper = app.db.updateTable("profiles").set({ position: "GK" });
    await keeper.where("user_id", "=", players[0]!).execute();
    const withKeeper = textOf((await open(pathOf(gameId))).html);
    expect(withKeeper).toContain("|2 players · 1 goalkeeper · level 50 of 100|");
    expect(withKeeper).toContain("|2 players · 0 goalkeepers · level 50 of 100|");
    const moves = buttonsOf(html).filter((name) => /^To (Yellow|Blue) : /.test(name));
    expect(moves).toHaveLength(4 + 2);
    expect(buttonsOf(html)).toContain("Place the player");
  });
});

describe("an organiser, without JavaScript,", () => {
  test("makes teams, makes others with one tap, and publishes them", async () => {
    const { gameId } = await teams.aGameOf(6);
    const made = await post(gameId, "make", { count: "2", formKey: crypto.randomUUID() });
    expect(made).toMatchObject({ status: 302, location: pathOf(gameId), toast: "Teams made" });
    expect(sizesOf(await teams.seats(gameId))).toEqual([3, 3]);
    const before = await teams.seats(gameId);
    await post(gameId, "make", { count: "2", formKey: crypto.randomUUID() });
    expect(await teams.seats(gameId)).not.toEqual(before);
    expect(await post(gameId, "publish")).toMatchObject({ status: 302, toast: "Teams published" });
    expect((await findLineup(app.db, gameId))?.publishedAt).toEqual(NOW);
    expect(buttonsOf((await open(pathOf(gameId))).html)).toContain("Unpublish");
    const hidden = await post(gameId, "unpublish");
    expect(hidden).toMatchObject({ status: 302, toast: "Teams unpublished" });
    expect(await post(gameId, "remove")).toMatchObject({ status: 302, toast: "Teams removed" });
    expect((await findLineup(app.db, gameId))?.teams).toEqual([]);
  });

  test("moves a player, and is back at their row", async () => {
    const { gameId, bookings } = await aGameWithTeams();
    const to = 3 - (await teams.teamOf(gameId, bookings[0]!))!;
    const moved = await post(gameId, "move", { bookingId: bookings[0]!, team: String(to) });
    expect(moved.status).toBe(302);
    expect(moved.location).toBe(`${pathOf(gameId)}#player-${bookings[0]}`);
    expect(await teams.teamOf(gameId, bookings[0]!)).toBe(to);
    expect((await open(pathOf(gameId))).html).toContain(`id="player-${bookings[0]}"`);
  });

  test("places who came later, and changes bibs", async () => {
    const { gameId } = await aGameWithTeams();
    const late = await teams.join(gameId, await ada(app.db));
    const placed = await post(gameId, "place");
    expect(placed).toMatchObject({ status: 302, toast: "Everybody is in a team" });
    expect(await teams.teamOf(gameId, late)).not.toBeNull();
    const saved = await post(gameId, "bibs", { "bib-1": "None", "bib-2": "Red" });
    expect(saved).toMatchObject({ status: 302, toast: "Bibs saved" });
    const { html } = await open(pathOf(gameId));
    expect(headingsOf(html, 3)).toEqual(["No bibs", "Red", "Make other teams", "Bibs"]);
    expect(buttonsOf(html).some((name) => name.startsWith("To no bibs : "))).toBe(true);
  });
});

describe("a form of teams that fails says why:", () => {
  test.each<[string, string, Record<string, string>, number, string]>([
    ["of other teams", "publish", { version: "99" }, 409, "Somebody else has changed the teams."],
    ["of no version", "make", { count: "2", version: "x" }, 409, "Somebody else has changed"],
    ["for too few players", "make", { count: "4" }, 409, "There are too few players"],
    ["of five teams", "make", { count: "5" }, 422, "Choose how many teams"],
    [
      "into no team",
      "move",
      { bookingId: "x", team: "7" },
      409,
      "There are no such teams any more",
    ],
    [
      "for no player",
      "move",
      { bookingId: "x", team: "1" },
      409,
      "This player is no longer in the game.",
    ],
    ["two teams in red", "bibs", { "bib-1": "Red", "bib-2": "Red" }, 422, "Another team has these"],
    ["in pink", "bibs", { "bib-1": "Pink", "bib-2": "Red" }, 422, "Choose the bibs of this team"],
  ])("%s", async (_, intent, fields, status, message) => {
    const { gameId } = await aGameWithTeams();
    const failed = await post(gameId, intent, fields);
    expect(failed.status).toBe(status);
    expect(textOf(failed.html)).toContain(message);
  });

  test("and keeps the bibs that were chosen", async () => {
    const { gameId } = await aGameWithTeams();
    const { html } = await post(gameId, "bibs", { "bib-1": "Red", "bib-2": "Red" });
    expect(html.match(/<option value="Red" selected="">/g)).toHaveLength(2);
  });

  test("once the result is recorded", async () => {
    const { gameId } = await aGameWithTeams();
    await recordFromPage(gameId, { firstScore: "1", secondScore: "0" });
    const failed = await post(gameId, "make", { count: "2" });
    expect([failed.status, textOf(failed.html)]).toEqual([
      409,
      expect.stringContaining("The result is recorded, so teams are changed by hand only."),
    ]);
    expect(buttonsOf(failed.html)).not.toContain("Make again");
  });
});

async function recordFromPage(gameId: string, fields: Record<string, string>) {
  now = hoursLater(4);
  const teamsVersion = String(await teams.version(gameId));
  const body = new URLSearchParams({ intent: "result", version: "0", teamsVersion, ...fields });
  const response = await ask(`/admin/games/${gameId}`, { cookie, body });
  return { status: response.status, html: bodyOf(await response.text()) };
}

describe("the result", () => {
  test("asks the score by team and no ticks, and the score says who has won", async () => {
    const { gameId, bookings } = await aGameWithTeams();
    now = hoursLater(4);
    const { html } = await open(`/admin/games/${gameId}`);
    expect(html).not.toContain('name="won-');
    expect(textOf(html)).toContain("The score says which team has won.");
    const labels = [...html.matchAll(/<label for="\w+Score"[^>]*>([^<]*)/g)].map(
      ([, text]) => text,
    );
    expect(labels).toEqual(["Yellow", "Blue"]);
    const ticks = Object.fromEntries(
      bookings.flatMap((id) => [
        [`won-${id}`, "on"],
        [`goals-${id}`, "1"],
      ]),
    );
    const saved = await recordFromPage(gameId, { firstScore: "5", secondScore: "3", ...ticks });
    expect(saved.status).toBe(302);
    const won = app.db.selectFrom("bookings").select("team").where("has_won", "=", true);
    const winners = await won.where("game_id", "=", gameId).execute();
    expect(winners).toEqual([{ team: 1 }, { team: 1 }]);
  });

  test("of other teams is not saved, and the form asks again", async () => {
    const { gameId } = await aGameWithTeams();
    const failed = await recordFromPage(gameId, {
      ...{ firstScore: "5", secondScore: "3", teamsVersion: "99" },
    });
    expect(failed.status).toBe(409);
    expect(textOf(failed.html)).toContain("Not saved: the teams have changed.");
    expect(failed.html).toContain('value="5"');
    const version = await teams.version(gameId);
    expect(failed.html).toContain(`name="teamsVersion" value="${version}"`);
    expect(await findResult(app.db, gameId)).toBeNull();
  });

  test("that somebody else has changed differs in what the form says: without ticks in no winners", async () => {
    const { gameId, bookings } = await aGameWithTeams();
    const goals = (of: string, count: string) => ({ [`goals-${of}`]: count });
    const [scorer, ...rest] = bookings as [string, string, string, string];
    const none = Object.assign({}, ...rest.map((id) => goals(id, "")));
    const score = { firstScore: "5", secondScore: "3", ...none };
    expect((await recordFromPage(gameId, { ...score, ...goals(scorer, "1") })).status).toBe(302);
    const failed = await recordFromPage(gameId, { ...score, ...goals(scorer, "2") });
    expect(failed.status).toBe(409);
    const differences = textOf(/aria-label="Conflict"[\s\S]*?<\/ul>/.exec(failed.html)?.[0] ?? "");
    expect(differences).toMatch(/Now\|?1 goal\b.*Yours\|?2 goals/);
    expect(differences).not.toMatch(/won|did not win/);
    expect(failed.html.match(/<dt[^>]*>Yours/g)).toHaveLength(1);
  });

  test("is on the printed roster, and no team's players have more goals than it", async () => {
    const { gameId, bookings } = await aGameWithTeams();
    const goals = Object.fromEntries(bookings.map((id, n) => [`goals-${id}`, n === 0 ? "7" : ""]));
    const score = { firstScore: "5", secondScore: "3", ...goals };
    const failed = await recordFromPage(gameId, score);
    expect(failed.status).toBe(422);
    expect(textOf(failed.html)).toContain("have more goals than its score");
    await recordFromPage(gameId, { ...score, [`goals-${bookings[0]}`]: "3" });
    const { html } = await open(`/admin/games/${gameId}/print`);
    expect(headingsOf(html, 2).toSorted()).toEqual(["Blue Score 3", "Yellow Score 5"]);
    now = NOW;
  });

  test("without teams cannot have all eight winners", async () => {
    const { gameId, bookings } = await teams.aGameOf(8, { startsIn: 1 });
    const ticks = Object.fromEntries(
      bookings.flatMap((id) => [
        [`won-${id}`, "on"],
        [`goals-${id}`, ""],
      ]),
    );
    const failed = await recordFromPage(gameId, { firstScore: "5", secondScore: "3", ...ticks });
    expect(failed.status).toBe(422);
    expect(textOf(failed.html)).toContain("at most two in three can");
  });
});

test("the printed roster is by team, with a box for each score", async () => {
  const { gameId } = await aGameWithTeams();
  await teams.join(gameId, await ada(app.db));
  const { html } = await open(`/admin/games/${gameId}/print`);
  expect(headingsOf(html, 2)).toEqual(["Yellow Score", "Blue Score", "Not in a team yet"]);
  expect(html.match(/<table/g)).toHaveLength(3);
  expect(textOf(html)).not.toContain("|Won|");
});
