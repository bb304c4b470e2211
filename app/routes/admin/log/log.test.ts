import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { allPlaces, openSite, type AskSite } from "#test/whole-site.ts";
import { signIn, toastAfter } from "#test/visit.ts";
import { somePacks } from "#test/payments.ts";
import { aGame, aPlayer, aVenue, NOW } from "#test/fixtures.ts";
import { listAuditEntries } from "#app/features/audit/entries.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addPartner } from "#app/features/partners/partners.server.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";
import { actionText, PAGES, toLogEntryView } from "./entry-view.ts";
import { readPeriod } from "./export-lines.server.ts";

const database = useDatabase();
let app: App;
let ask: AskSite;
let cookie: string;
let game: string;
// The database stamps the entries itself.
const TODAY = helsinkiDate(new Date());
beforeAll(async () => {
  app = testApp(database, () => new Date());
  const admin = await anAdmin(app);
  cookie = admin.cookie;
  game = await aGame(app.db, { title: "=1+1" });
  const edit = { before: { maxPlayers: 10, title: "x" }, after: { maxPlayers: 12, title: "x" } };
  await app.db.transaction().execute(async (tx) => {
    const entry = { actor: admin.id, subject: game };
    await recordAudit(tx, { ...entry, action: "game.edit", details: edit });
    await recordAudit(tx, { ...entry, actor: "command", action: "moon.landed", subject: '-a,"b"' });
  });
  ask = await openSite(app);
});

const open = async (path: string) => {
  const response = await ask(path, { cookie });
  return { status: response.status, head: response.headers, text: await response.text() };
};
const mainOf = (html: string) =>
  html
    .split("<main")[1]!
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

describe("the page", () => {
  test("says who did what to what, and what differs", async () => {
    const { status, text } = await open("/admin/log");
    expect(status).toBe(200);
    expect(mainOf(text)).toContain("changed a game =1+1");
    expect(mainOf(text)).toContain("max players 10 → 12");
    expect(text).toContain(`href="/admin/games/${game}"`);
    expect(mainOf(text)).not.toContain("title x");
  });

  test("shows an unknown action as it is stored, and the command line by its name", async () => {
    expect(mainOf((await open("/admin/log")).text)).toContain("command line moon.landed");
    expect(actionText("constructor")).toBe("constructor");
  });

  test("is filtered by who, what and whom, also by what is not there", async () => {
    const some = mainOf((await open(`/admin/log?actor=command&action=&subject=`)).text);
    expect(some).toContain("moon.landed -a");
    expect(some).not.toContain("max players");
    expect(mainOf((await open("/admin/log?subject=nobody")).text)).toContain(
      "Nothing in the log matches this filter.",
    );
    for (const after of ["x", "WyJ4Il0"]) {
      expect((await open(`/admin/log?after=${after}`)).text).toContain("moon.landed");
    }
  });
});

test("an entry whose actor, action and subject are unknown is still a row", () => {
  const entry = { id: 1, at: NOW, actor: "x", actorName: null, action: "__proto__", subject: "y" };
  expect(
    toLogEntryView({
      ...entry,
      subjectName: null,
      bookedGame: null,
      playerName: null,
      details: {},
    }),
  ).toMatchObject({
    who: "x",
    what: "__proto__",
    subjectName: "y",
    page: null,
  });
});

test("a booking is shown by player and game, and links to its game", async () => {
  const playerId = await aPlayer(app.db, { name: "Ada", credits: 20 });
  const joined = await joinGame(app.db, app.jobs, { gameId: game, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const entry = { actor: "command", action: "booking.remove", subject: joined.bookingId };
  await app.db.transaction().execute((tx) => recordAudit(tx, entry));
  const { text } = await open(`/admin/log?subject=${joined.bookingId}`);
  expect(mainOf(text)).toMatch(/removed a player from a game Ada \w+, =1\+1/);
  expect(text).toContain(`href="/admin/games/${game}"`);
});

/** The audit actions in the sources, such as "game.edit". */
function actionsOfSources(): string[] {
  const folder = path.join(import.meta.dirname, "../../../features");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files
    .filter((file) => file.endsWith(".server.ts"))
    .map((file) => readFileSync(path.join(folder, file), "utf8"))
    .filter((source) => source.includes("recordAudit("));
  // Columns in SQL are written alike: users.id.
  const codes = sources
    .flatMap((source) => Array.from(source.matchAll(/"([a-z]+[.][a-z-]+)"/g), ([, code]) => code!))
    .filter((code) => !/^(mail|entry|chosen|plan)[.]|s[.]|[.](id|type)$/.test(code));
  expect(codes.length).toBeGreaterThan(20);
  // The action of these two is made of their state.
  codes.push("inbox.open", "inbox.done");
  return codes;
}

test("every audit action in the sources has a text", () => {
  expect(actionsOfSources().filter((code) => actionText(code) === code)).toEqual([]);
});

const nouns = () => new Set(actionsOfSources().map((code) => code.split(".")[0]!));

test("every noun of an audit action leads to its page", () => {
  expect([...nouns()].filter((noun) => !PAGES.has(noun))).toEqual([]);
});

test("the subject of every noun of an audit action has a name", async () => {
  const { db, jobs } = app;
  const player = await aPlayer(db, { name: "Ada", credits: 20 });
  const joined = await joinGame(db, jobs, { gameId: await aGame(db), playerId: player, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  await somePacks(db);
  await sendMessage(db, jobs, { userId: player, subject: "Hello", message: "Hello" }, NOW);
  const partner = crypto.randomUUID();
  await addPartner(db, { id: partner, name: "Bikes" });
  const pack = await db.selectFrom("credit_packs").select("id").executeTakeFirstOrThrow();
  const ticket = await db.selectFrom("support_messages").select("id").executeTakeFirstOrThrow();
  const subjects: Record<string, string> = {
    ...{ account: player, role: player, wallet: player, booking: joined.bookingId, game, partner },
    waitlist: game,
    ...{ venue: await aVenue(db), pack: pack.id, inbox: ticket.id },
  };
  for (const [noun, subject] of Object.entries(subjects)) {
    const entry = { actor: "command", action: `${noun}.named`, subject };
    await db.transaction().execute((tx) => recordAudit(tx, entry));
    const filter = { actor: null, action: entry.action, subject };
    const [found] = await listAuditEntries(db, { filter, before: null, limit: 1 });
    expect(found?.subjectName, noun).toMatch(/\w/);
  }
  // A legal page and an event of Stripe's are named by their subject itself.
  const unnamed = [...nouns()].filter((noun) => !subjects[noun]);
  expect(unnamed.sort()).toEqual(["legal", "payment"]);
});

test("every page that an entry links to exists", () => {
  const places = allPlaces().map((place) => place.path);
  const pages = [...PAGES.values()].map((page) => page("x"));
  const isThere = (page: string) =>
    places.some((place) => new RegExp(`^${place.replace(/:\w+/, "[^/]+")}$`).test(page));
  expect(pages.filter((page) => !isThere(page))).toEqual([]);
});

describe("the file", () => {
  test("holds the entries of its days, and nothing that a spreadsheet would run", async () => {
    const { status, head, text } = await open(`/admin/log.csv?from=${TODAY}&to=${TODAY}`);
    expect([status, head.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(head.get("Content-Disposition")).toContain(`log-${TODAY}-${TODAY}.csv`);
    const [columns, ...lines] = text.trimEnd().split("\r\n");
    expect(columns).toBe("date,time,who,what,code,subject,name,before,after,more");
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(lines[1]).toContain(`changed a game,game.edit,${game},'=1+1,"{""title"":""x"",`);
    expect(lines[2]).toContain(`command line,moon.landed,moon.landed,"'-a,""b""",,,,`);
  });

  test("of a player is only the words, without quotes", async () => {
    const player = await signIn(app, await aPlayer(app.db));
    const denied = await ask("/admin/log.csv", { cookie: player });
    expect([denied.status, await denied.text()]).toEqual([403, "Access Denied"]);
  });

  test("from a day after its last is none, and the page says why", async () => {
    const { status, head } = await open("/admin/log.csv?from=2026-02-02&to=2026-02-01");
    expect([status, head.get("Location")]).toEqual([302, "/admin/log"]);
    expect(await toastAfter(app, head)).toMatchObject({
      description: "The day in From is after the day in To.",
      tone: "danger",
    });
  });

  test("of other days is empty", async () => {
    const { text } = await open("/admin/log.csv?from=2025-01-01&to=2025-01-31");
    expect(text.trimEnd().split("\r\n")).toHaveLength(1);
  });

  test("without an end goes on until today", async () => {
    const { text } = await open("/admin/log.csv?from=&to=");
    expect(text.trimEnd().split("\r\n").length).toBeGreaterThanOrEqual(4);
  });

  test.each(["2026-02-30", "today", "1999-01-01", "2026-1-1"])("of no day %s", async (day) => {
    expect((await open(`/admin/log.csv?from=${day}`)).status).toBe(400);
    expect((await open(`/admin/log.csv?to=${day}`)).status).toBe(400);
  });
});

test.each([
  ["2026-01-10", "2026-01-10", "2026-01-09T22:00:00.000Z", "2026-01-10T22:00:00.000Z"],
  ["2026-03-29", "2026-03-29", "2026-03-28T22:00:00.000Z", "2026-03-29T21:00:00.000Z"],
  ["2026-10-25", "2026-10-25", "2026-10-24T21:00:00.000Z", "2026-10-25T22:00:00.000Z"],
  ["2026-06-01", "2026-06-30", "2026-05-31T21:00:00.000Z", "2026-06-30T21:00:00.000Z"],
])("from %s to %s, by Helsinki's midnights", (first, last, from, to) => {
  const period = readPeriod(first, last);
  expect([period?.from.toISOString(), period?.to.toISOString()]).toEqual([from, to]);
});
