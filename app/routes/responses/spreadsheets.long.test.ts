import { beforeAll, describe, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue, NOW } from "#test/fixtures.ts";
import { hasLibreOffice, type OpenedCell, openInLibreOffice } from "#test/libre-office.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { sendMessage } from "#app/features/support/tickets.server.ts";
import { recordAudit } from "#app/platform/audit.server.ts";

const database = useDatabase();
const FORMULAS = ["=1+1", "x;=1+1;", 'x;"=1+1"', "x\n=1+1", "x,=1+1", "x\t=1+1", "@SUM(1)", "+1+1"];
let site: AskSite;
let cookies: { player: string; admin: string };
let files: Record<string, { path: string; as: "player" | "admin"; kinds: string[] }>;

beforeAll(async () => {
  const app = testApp(database, () => NOW);
  const { db, jobs } = app;
  site = await openSite(app);
  const playerId = await ada(db);
  const admin = await anAdmin(app);
  const facts = { first_name: "Äinö", last_name: "Åkerblom", phone: "0401234567" };
  await db.updateTable("profiles").set(facts).where("user_id", "=", playerId).execute();
  const venue = { venue_id: await aVenue(db, { name: "Töölö; =Hall" }) };
  const gameId = await aGame(db, { startsIn: 48, ...venue });
  await joinGame(db, jobs, { gameId, playerId, now: NOW });
  for (const subject of FORMULAS) {
    await sendMessage(db, jobs, { userId: playerId, subject, message: subject }, NOW);
  }
  const tickets = await db.selectFrom("support_messages").select(["id", "subject"]).execute();
  await db.transaction().execute(async (tx) => {
    for (const { id, subject } of tickets) {
      const details = { after: { subject } };
      await recordAudit(tx, { actor: admin.id, action: "inbox.done", subject: id, details });
    }
  });
  cookies = { player: await signIn(app, playerId), admin: admin.cookie };
  files = {
    statement: {
      ...{ path: "/wallet/statement", as: "player" },
      kinds: ["date", "time", "string", "string", "float", "float", "-", "string", "date"],
    },
    players: {
      ...{ path: `/admin/games/${gameId}/players`, as: "admin" },
      kinds: ["string", "-", "string", "string", "string", "-", "-", "float"],
    },
    log: {
      ...{ path: "/admin/log", as: "admin" },
      kinds: ["date", "time", ...Array.from({ length: 7 }, () => "string")],
    },
    credits: {
      ...{ path: "/admin/overview/credits", as: "admin" },
      kinds: ["date", "float", "float", "float"],
    },
  };
});

async function download(name: string, format: "csv" | "xlsx") {
  const { path, as } = files[name]!;
  // Only the log reads the last day: the database stamps its entries itself.
  return (await site(`${path}.${format}?to=2099-12-31`, { cookie: cookies[as] })).bytes();
}
const kindsOf = (row: (OpenedCell | null)[]) => row.map((cell) => cell?.kind ?? "-");
const formulasIn = (rows: (OpenedCell | null)[][]) =>
  rows.flat().flatMap((cell) => (cell?.isFormula ? [cell.value] : []));

describe.runIf(hasLibreOffice).each(["fi-FI", "sv-FI", "en-US"])("LibreOffice, %s", (locale) => {
  test.each(["statement", "players", "log", "credits"])(
    "opens %s.xlsx with amounts, dates, times and texts as such",
    async (name) => {
      const rows = openInLibreOffice(`${name}.xlsx`, await download(name, "xlsx"), { locale });
      const { kinds } = files[name]!;
      expect(rows.length).toBeGreaterThan(1);
      expect(kindsOf(rows[1]!).slice(0, kinds.length)).toEqual(kinds);
      expect(formulasIn(rows)).toEqual([]);
    },
  );

  test("shows an amount, a time, a phone number and a name whole", async () => {
    const statement = openInLibreOffice("s.xlsx", await download("statement", "xlsx"), { locale });
    const amounts = statement.slice(1).map((row) => Number(row[4]?.value ?? 0));
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(90);
    expect(statement[1]!.slice(7, 9).map((cell) => cell?.value)).toEqual([
      "Töölö; =Hall",
      "2026-11-23T12:00:00",
    ]);
    const players = openInLibreOffice("p.xlsx", await download("players", "xlsx"), { locale });
    const csv = { locale, separator: "," };
    const same = openInLibreOffice("p.csv", await download("players", "csv"), csv);
    const facts = (rows: typeof players) => [rows[1]![0]!.value, rows[1]![2]];
    const phone = { kind: "string", isFormula: false };
    expect(facts(players)).toEqual(["Äinö Åkerblom", { ...phone, value: "0401234567" }]);
    expect(facts(same)).toEqual(["Äinö Åkerblom", { ...phone, value: "040 1234567" }]);
  });
});

describe.runIf(hasLibreOffice)("LibreOffice, fi-FI", () => {
  test.each([",", ";", "\t", "|"])(
    "finds no formula in a .csv that %j separates",
    async (separator) => {
      const opening = { locale: "fi-FI", separator };
      const raw = new TextEncoder().encode(`a${separator}=1+1\r\n`);
      expect(formulasIn(openInLibreOffice("raw.csv", raw, opening))).toEqual(["2"]);
      for (const name of ["statement", "players", "log"]) {
        const rows = openInLibreOffice(`${name}.csv`, await download(name, "csv"), opening);
        expect(rows.length).toBeGreaterThan(1);
        expect([name, formulasIn(rows)]).toEqual([name, []]);
      }
    },
  );
});

test.runIf(!hasLibreOffice)("LibreOffice is not installed, so nothing was opened in it", () => {
  expect(hasLibreOffice).toBe(false);
});
