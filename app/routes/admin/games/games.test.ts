import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { signIn, visit } from "#test/visit.ts";
import { ada, aGame, aVenue, balanceCents, everything, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import * as myGames from "#app/routes/bookings/list.tsx";
import * as gamePage from "#app/routes/games/show.tsx";
import * as edit from "#app/routes/admin/games/plan/edit.tsx";
import * as list from "./list.tsx";
import * as fresh from "#app/routes/admin/games/plan/new.tsx";
import type { PlanResult } from "#app/routes/admin/games/plan/actions.server.ts";
import * as show from "./show.tsx";

const database = useDatabase();
let app: App;
let [cookie, venueId, gameId] = ["", "", ""];
beforeAll(async () => {
  app = testApp(database, () => NOW);
  ({ cookie } = await anAdmin(app));
});
beforeEach(async () => {
  venueId = await aVenue(app.db);
  gameId = await aGame(app.db, { venue_id: venueId });
});

type Page = { loader: (args: never) => unknown };
type Editor = Page & { action: (args: never) => unknown };
type Form = Record<string, string>;

async function open<T>(page: Page, path: string): Promise<T> {
  const { data } = await visit(app, page.loader, { path, cookie });
  return data as T;
}
async function post(page: Editor, path: string, body: Form) {
  const result = await visit(app, page.action, { path, cookie, body });
  return { ...result, data: result.data as PlanResult };
}
const at = (suffix = "") => `/admin/games/${gameId}${suffix}`;
const press = (intent: string) => post(show, at(), { intent });

interface EditPage {
  version: number;
  values: Form;
}
const openEdit = () => open<EditPage>(edit, at("/edit"));
const save = (body: Form) => post(edit, at("/edit"), { intent: "save", ...body });
const formOf = ({ values, version }: EditPage): Form => ({ ...values, version: String(version) });

async function join() {
  const playerId = await ada(app.db);
  await joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  return playerId;
}

describe("the list", () => {
  test("shows date, time, place, status and seats of each", async () => {
    await join();
    const { games } = await open<{ games: object[] }>(list, `/admin/games?venue=${venueId}`);
    expect(games).toContainEqual({
      ...{ id: gameId, title: "Indoor futsal", day: "Mon, Nov 23, 2026", time: "12:00–13:30" },
      ...{ place: "Campus Hall, Espoo", status: "Published", statusTone: "green", seats: "1/10" },
      notes: "",
    });
  });

  test("leads on where there are more than fifty", async () => {
    const there = await aVenue(app.db);
    for (let n = 0; n < 51; n += 1) await aGame(app.db, { venue_id: there, startsIn: 5 + n });
    type Listed = {
      games: object[];
      pages: { first: string | null; next: string | null };
    };
    const one = await open<Listed>(list, `/admin/games?venue=${there}`);
    expect([one.games.length, one.pages.first]).toEqual([50, null]);
    const two = await open<Listed>(list, one.pages.next!);
    expect([two.games.length, two.pages.next]).toEqual([1, null]);
    expect(two.pages.first).toBe(`/admin/games?venue=${there}`);
  });
});

describe("a new game", () => {
  const NEW = "/admin/games/new";
  const filled = async (query = `?venue=${venueId}`) =>
    (await open<{ values: Form }>(fresh, NEW + query)).values;

  test("is filled in like the last one at that venue, on a day that is near; like a chosen one, a week later", async () => {
    const latest = await aGame(app.db, { venue_id: venueId, startsIn: 400, spots: 14 });
    const values = await filled();
    expect(values).toMatchObject({ venueId, maxPlayers: "14", date: "2026-12-01" });
    expect(await filled(`?from=${latest}`)).toEqual({ ...values, date: "2026-12-15" });
  });

  test("like a game of the past it falls on the next such weekday", async () => {
    const past = await aGame(app.db, { startsIn: -24 * 40 });
    expect((await filled(`?from=${past}`)).date).toBe("2026-11-23");
  });

  test("without another game it is for tomorrow", async () => {
    const empty = await aVenue(app.db);
    expect((await filled(`?from=7&venue=${empty}`)).date).toBe("2026-11-22");
  });

  // spec: 2.131
  test("is published, weekly, and the browser led to it", async () => {
    const form = { ...(await filled()), weeks: "3", intent: "publish", title: "Three in a row" };
    const { status, headers } = await post(fresh, NEW, form);
    expect([status, headers.get("Location")]).toEqual([
      302,
      expect.stringMatching(/^\/admin\/games\/[0-9a-f-]{36}$/),
    ]);
    const games = app.db.selectFrom("games").where("title", "=", "Three in a row");
    expect(await games.select("date").execute()).toHaveLength(3);
  });

  test("is created once, however often its form is sent; a changed form is an error", async () => {
    const { values, formKey } = await open<{ values: Form; formKey: string }>(fresh, NEW);
    const form = { ...values, venueId, intent: "draft", date: "2026-12-24", formKey };
    for (let n = 0; n < 2; n += 1) {
      const { status, headers } = await post(fresh, NEW, form);
      expect([status, headers.get("Location")]).toEqual([302, `/admin/games/${formKey}`]);
    }
    const { status, data } = await post(fresh, NEW, { ...form, date: "2026-12-27" });
    expect([status, data.fieldErrors]).toEqual([
      409,
      { title: expect.stringContaining("another") },
    ]);
    const { formKey: next } = await open<{ formKey: string }>(fresh, NEW);
    expect(next).not.toBe(formKey);
  });

  test.each<[string, Form, Form]>([
    [
      "nothing",
      { title: "", date: "", startTime: "", endTime: "", venueId: "", surroundings: "" },
      {
        title: "Title is required",
        date: "Enter a date with the whole year, such as 31.12.2026",
        startTime: "Enter when it starts, such as 18:00",
        endTime: "Enter when it ends, such as 19:30",
        venueId: "Choose a venue",
        surroundings: "Choose indoor or outdoor",
      },
    ],
    [
      "nonsense",
      { maxPlayers: "0", priceEur: "-1", weeks: "27" },
      {
        maxPlayers: "Players must be a whole number from 1 to 200",
        priceEur: "Enter a price such as 10 or 9.50",
        weeks: "Weeks must be a whole number from 1 to 26",
      },
    ],
    [
      "a year of two digits",
      { date: "0026-12-20" },
      { date: "Enter a date with the whole year, such as 31.12.2026" },
    ],
    [
      "a time that does not exist",
      { date: "2027-03-28", startTime: "03:30", endTime: "05:00" },
      {
        startTime:
          "03:30 does not exist on Sun, Mar 28, 2027: the clocks go forward that night. " +
          "Choose another time.",
      },
    ],
    [
      "the past",
      { date: "2026-11-20" },
      { date: "Fri, Nov 20, 2026: a game must start in the future." },
    ],
  ])("of %s says what is wrong, and keeps what was typed", async (_, wish, errors) => {
    const form = { ...(await filled()), ...wish };
    const before = await everything(app.db);
    const { status, data } = await post(fresh, NEW, { ...form, intent: "draft" });
    expect([status, data.fieldErrors, data.values]).toEqual([422, errors, form]);
    expect(await everything(app.db)).toEqual(before);
  });
});

describe("an edit", () => {
  test("without players is saved at once", async () => {
    const form = formOf(await openEdit());
    const { status, headers } = await save({ ...form, startTime: "12:30" });
    expect([status, headers.get("Location")]).toEqual([302, at()]);
  });

  test("with players asks first; a confirmation is for what was shown only", async () => {
    await join();
    const form = { ...formOf(await openEdit()), startTime: "12:30" };
    const asked = await save(form);
    expect([asked.status, asked.data.confirmation]).toMatchObject([
      200,
      {
        title: "This changes the game of 1 player",
        button: "Save and notify 1 player",
        games: [{ changes: [{ label: "Time", from: "12:00–13:30", to: "12:30–13:30" }] }],
      },
    ]);
    const { key: confirmed } = asked.data.confirmation!;
    const other = await save({ ...form, startTime: "12:45", confirmed });
    const rights = expect.stringMatching(
      /^Nothing is saved yet: this is not what you confirmed\. /,
    );
    expect([other.status, other.data.confirmation]).toMatchObject([200, { rights }]);
    expect(asked.data.confirmation!.rights).toMatch(/^Nothing is saved yet\. Each is notified/);
    expect((await save({ ...form, confirmed })).status).toBe(302);
  });

  test("confirmed, the player's own pages say that leaving is free", async () => {
    const player = await signIn(app, await join());
    const form = { ...formOf(await openEdit()), startTime: "12:30" };
    const { key: confirmed } = (await save(form)).data.confirmation!;
    await save({ ...form, confirmed });
    const textOf = async (page: Pick<Page, "loader">, path: string) => {
      const visited = { path, cookie: player };
      return JSON.stringify((await visit(app, page.loader, visited)).data);
    };
    expect(await textOf(myGames, "/bookings")).toContain("Free cancellation until Mon 12:30");
    expect(await textOf(gamePage, `/events/${gameId}`)).toContain(
      "Free cancellation until Mon 12:30. The game was changed after you joined",
    );
  });

  test("the second of two admins gets 409 with the differences, and nothing is lost", async () => {
    const [ann, bob] = [formOf(await openEdit()), formOf(await openEdit())];
    expect((await save({ ...ann, title: "Ann's", maxPlayers: "12" })).status).toBe(302);
    const elsewhere = await aVenue(app.db, { name: "Other Hall", city: "Vantaa" });
    const second = { ...bob, title: "Bob's", venueId: elsewhere };
    const { status, data } = await save(second);
    const { version, differences } = data.conflict!;
    expect([status, differences]).toEqual([
      409,
      [
        { label: "Title", theirs: "Ann's", yours: "Bob's" },
        { label: "Venue", theirs: "Campus Hall, Espoo", yours: "Other Hall, Vantaa" },
        { label: "Max players", theirs: "12", yours: "10" },
      ],
    ]);
    expect(data.values).toMatchObject(second);
    expect((await openEdit()).values.title).toBe("Ann's");
    expect((await save({ ...second, version: String(version) })).status).toBe(302);
    expect((await openEdit()).values).toMatchObject({ title: "Bob's", maxPlayers: "10" });
  });

  test("below the seats taken says how many are taken", async () => {
    for (const _ of "two") await join();
    const form = { ...formOf(await openEdit()), maxPlayers: "2" };
    const { status, data } = await save(form);
    expect([status, data.fieldErrors]).toEqual([
      422,
      { maxPlayers: "3 players already in on Mon, Nov 23, 2026: the game cannot be smaller." },
    ]);
  });
});

describe("the buttons on a game's page", () => {
  test("publish and unpublish; not once somebody is in", async () => {
    expect((await press("unpublish")).status).toBe(302);
    expect((await press("publish")).status).toBe(302);
    await join();
    const { status, data } = await press("unpublish");
    expect([status, data.formError]).toEqual([409, expect.stringMatching(/Cancel the game/)]);
  });

  test("cancel: everyone is refunded, the page says so, a repeat does nothing", async () => {
    const players = [await join(), await join()];
    const page = () =>
      open<{ game: { refunds: string | null } }>(show, at()).then(({ game }) => game.refunds);
    expect(await page()).toBeNull();
    expect((await press("cancel")).status).toBe(302);
    expect(await page()).toBe("2 players were refunded in full, 20 credits in all.");
    for (const id of players) expect(await balanceCents(app.db, id)).toBe(10_000);
    const before = await everything(app.db);
    expect((await press("cancel")).status).toBe(409);
    expect(await everything(app.db)).toEqual(before);
    const entries = app.db.selectFrom("audit_log").select("action").where("subject", "=", gameId);
    expect(await entries.execute()).toEqual([{ action: "game.cancel" }]);
  });

  test("an unknown button does nothing", async () => {
    expect((await press("nonsense")).status).toBe(400);
  });
});

test.each(["7", crypto.randomUUID()])("game %s is not there", async (id) => {
  for (const page of [show, edit]) {
    const path = `/admin/games/${id}${page === edit ? "/edit" : ""}`;
    const { status } = await visit(app, page.loader, { path, cookie });
    expect(status).toBe(404);
  }
});
