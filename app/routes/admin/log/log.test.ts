import { anAnnouncement } from "#test/old-rows.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { allAddresses, openSite, type AskSite } from "#test/whole-site.ts";
import { signIn, toastAfter } from "#test/visit.ts";
import { somePacks } from "#test/payments.ts";
import { aGame, aPlayer, aVenue, NOW } from "#test/fixtures.ts";
import { listAuditEntries, type Named } from "#app/features/audit/entries.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addPartner } from "#app/features/partners/partners.server.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";
import { AUDIT_ACTIONS } from "#app/platform/audit-actions.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import type { App } from "#app/routes/context.server.ts";
import { subjectName } from "./entry-view.server.ts";
import { readPeriod } from "./export-lines.server.ts";
import { sentenceOf } from "./sentences.server.ts";

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
    // Entry that another version may have recorded.
    const strange = { actor: "command", action: "moon.landed", subject: '-a,"b"', details: "{}" };
    await tx.insertInto("audit_log").values(strange).execute();
  });
  ask = await openSite(app);
});

const open = async (path: string) => {
  const response = await ask(path, { cookie });
  return { status: response.status, head: response.headers, text: await response.text() };
};
const mainOf = (html: string) =>
  html
    .split(/<main[^>]*>/)[1]!
    .split("</main>")[0]!
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

describe("the page", () => {
  test("says who did what to what, and what differs, without an id or JSON", async () => {
    const { status, text } = await open("/admin/log");
    expect(status).toBe(200);
    expect(mainOf(text)).toMatch(/changed \w+, \w+ \d+, .* at Campus Hall : max players 10 → 12/);
    expect(text).toContain(`href="/admin/games/${game}"`);
    expect(mainOf(text)).not.toMatch(/title|[{}]|[0-9a-f]{8}-/);
  });

  test("has plain words for an unknown action, and the command line by its name", async () => {
    expect(mainOf((await open("/admin/log")).text)).toContain(
      "command line recorded “moon landed”",
    );
  });

  test("is filtered by who, what and whom, also by what is not there", async () => {
    const some = mainOf((await open(`/admin/log?actor=command&action=&subject=`)).text);
    expect(some).toContain("moon landed");
    expect(some).not.toContain("max players");
    const none = mainOf((await open("/admin/log?subject=nobody")).text);
    expect(none).toContain("Nothing in the log matches this filter.");
    expect(none).toContain("History of something that is not there");
    const player = await aPlayer(app.db, { name: "Vera" });
    const nothing = mainOf((await open(`/admin/log?subject=${player}`)).text);
    expect(nothing).toMatch(/History of Vera \w+ /);
    for (const after of ["x", "WyJ4Il0"]) {
      expect((await open(`/admin/log?after=${after}`)).text).toContain("moon landed");
    }
  });
});

test("a booking is shown by player and game, and links to both", async () => {
  const playerId = await aPlayer(app.db, { name: "Ada", credits: 20 });
  const joined = await joinGame(app.db, app.jobs, { gameId: game, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const action = "booking.remove";
  const entry = { actor: "command", action, subject: joined.bookingId } as const;
  await app.db.transaction().execute((tx) => recordAudit(tx, entry));
  const named = await open(`/admin/log?subject=${playerId}`);
  expect(mainOf(named.text)).toMatch(/History of Ada \w+ /);
  expect(mainOf(named.text)).toMatch(/The command line removed Ada \w+ from \w+, /);
  const { text: page } = await open(`/admin/players/${playerId}`);
  expect(page).toContain(`href="/admin/log?subject=${playerId}"`);
  const { text } = await open(`/admin/log?subject=${joined.bookingId}`);
  expect(mainOf(text)).toMatch(/The command line removed Ada \w+ from \w+, .* at Campus Hall/);
  expect(text).toContain(`href="/admin/games/${game}"`);
  expect(text).toContain(`href="/admin/players/${playerId}"`);
});

test("what each noun is about has a name", async () => {
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
    ...{ account: player, log: player, role: player, wallet: player, mail: player },
    ...{ booking: joined.bookingId, game, teams: game, waitlist: game, partner },
    ...{ venue: await aVenue(db), pack: pack.id, inbox: ticket.id, legal: "terms" },
    announcement: await anAnnouncement(db, { created_at: NOW }),
  };
  const nouns = new Set(AUDIT_ACTIONS.map((action) => action.split(".")[0]!));
  // An event of Stripe's is named by its action.
  expect([...nouns].filter((noun) => !subjects[noun])).toEqual(["payment"]);
  for (const [noun, subject] of Object.entries(subjects)) {
    const action = AUDIT_ACTIONS.find((each) => each.startsWith(`${noun}.`))!;
    const entry = { actor: noun, action, subject };
    await db.transaction().execute((tx) => recordAudit(tx, entry));
    const filter = { actor: noun, action, subject };
    const [found] = await listAuditEntries(db, { filter, before: null, limit: 1 });
    expect(subjectName(found), noun).not.toBe("something that is deleted");
  }
});

test("the history of a legal page names it", async () => {
  const entry = { actor: "command", action: "legal.edit", subject: "privacy" } as const;
  await app.db.transaction().execute((tx) => recordAudit(tx, entry));
  const { text } = await open("/admin/log?subject=privacy");
  expect(mainOf(text)).toContain("History of the privacy policy");
  expect(mainOf(text)).toContain("The command line changed the privacy policy");
});

test("every page that an entry links to exists", () => {
  const places = allAddresses().map((place) => place.path);
  const about: Named = {
    game: { id: "x", date: "2026-11-24", startTime: "18:00", venueName: "Arena" },
    player: { id: "x", name: "Ada" },
    placed: null,
    ...{
      ticket: { kind: "message", subject: "Hi", writer: "Ada", amountEur: null },
      name: "Bikes",
      venueNames: {},
    },
  };
  const row = {
    id: 1,
    at: NOW,
    actor: "x",
    actorName: null,
    subject: "x",
    details: {},
    others: [],
  };
  const links = AUDIT_ACTIONS.flatMap((action) => sentenceOf({ ...row, ...about, action }))
    .filter((part) => typeof part !== "string")
    .map(({ to }) => to.split("#")[0]!);
  expect(new Set(links).size).toBeGreaterThan(6);
  const isThere = (page: string) =>
    places.some((place) => new RegExp(`^${place.replace(/:\w+/, "[^/]+")}$`).test(page));
  expect(links.filter((page) => !isThere(page))).toEqual([]);
});

describe("the file", () => {
  test("holds the entries of its days, and nothing that a spreadsheet would run", async () => {
    const { status, head, text } = await open(`/admin/log.csv?from=${TODAY}&to=${TODAY}`);
    expect([status, head.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(head.get("Content-Disposition")).toContain(`log-${TODAY}-${TODAY}.csv`);
    const [columns, ...lines] = text.trimEnd().split("\r\n");
    expect(columns).toBe("date,time,who,what,code,subject,name,before,after,more");
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(lines[1]).toMatch(
      /"changed \w+, \w+ \d+, [\d:]+ at Campus Hall: max players 10 → 12",game.edit,/,
    );
    expect(lines[1]).toContain(`,game.edit,${game},`);
    expect(lines[1]).toContain(`"{""title"":""x"",`);
    expect(lines[2]).toContain(`The command line,recorded “moon landed”,moon.landed,"'-a,""b""",`);
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

  test("takes days as people type them", async () => {
    const [year, month, day] = TODAY.split("-").map(Number);
    const typed = encodeURIComponent(` ${day}.${month}.${year}\u200b`);
    const { status, head } = await open(`/admin/log.csv?from=${typed}&to=${day}/${month}/${year}`);
    expect(status).toBe(200);
    expect(head.get("Content-Disposition")).toContain(`log-${TODAY}-${TODAY}.csv`);
  });

  test("of other days is empty", async () => {
    const { text } = await open("/admin/log.csv?from=2025-01-01&to=2025-01-31");
    expect(text.trimEnd().split("\r\n")).toHaveLength(1);
  });

  test("without an end goes on until today", async () => {
    const { text } = await open("/admin/log.csv?from=&to=");
    expect(text.trimEnd().split("\r\n").length).toBeGreaterThanOrEqual(4);
  });

  test.each(["2026-02-30", "0026-12-20", "today", "1999-01-01", "31.2.2026"])(
    "of no day %s",
    async (day) => {
      expect((await open(`/admin/log.csv?from=${day}`)).status).toBe(400);
      expect((await open(`/admin/log.csv?to=${day}`)).status).toBe(400);
    },
  );
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
