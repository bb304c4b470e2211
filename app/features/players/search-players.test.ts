import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { folded } from "#app/platform/text.ts";
import { writeCursor } from "#app/platform/cursor.server.ts";
import { insertPlayer, findPlayerRecord } from "./profiles.server.ts";
import { listPlayersByText, searchPlayers } from "./search-players.server.ts";

const database = useDatabase();
withoutTimeouts(database);
const PEOPLE = [
  ["Åsa", "Öberg", "asa.oberg"],
  ["Anna Maria", "von Essen", "anna.vonessen"],
  ["Seán", "O’Neill", "sean"],
  ["Łukasz", "Żak", "lukasz"],
  ["aino", "Virtanen", "aino.virtanen"],
  ["Aino", "Virtanen-Mäki", "a.maki"],
  ["Борис", "Ефимов", "boris"],
  ["100%", "_'; drop--", "odd"],
  ["Jörg", "Weiß", "joerg.weiss"],
  ["Þóra-Dís", "Æsudóttir", "thora"],
  ["Trương", "Işıl", "truong"],
] as const;
const ids: Record<string, string> = {};

beforeAll(async () => {
  for (const [firstName, lastName, key] of PEOPLE) ids[key] = await add(firstName, lastName, key);
});

async function add(firstName: string, lastName: string, key: string): Promise<string> {
  const player = {
    email: `${key}@uni.example`,
    firstName,
    lastName,
    passwordHash: "no-password",
    dateOfBirth: "2001-05-17",
    schoolYear: "Master" as const,
    major: "Physics",
    phone: null,
  };
  return (await database.db.transaction().execute((tx) => insertPlayer(tx, player)))!;
}

async function find(words: string): Promise<string[]> {
  const { players } = await searchPlayers(database.db, { words, after: null, limit: 50 });
  return players.map(({ email }) => email.split("@")[0]!);
}

test("a word too long for PostgreSQL's text search finds nobody", async () => {
  expect(await listPlayersByText(database.db, "㌖".repeat(255), 10)).toEqual([]);
  expect(await find("㌖".repeat(100))).toEqual([]);
});

describe("a player is found by", () => {
  test.each([
    ["asa", ["asa.oberg"]],
    ["ÅSA ÖBERG", ["asa.oberg"]],
    ["oberg a", ["asa.oberg"]],
    ["O\u0308berg", ["asa.oberg"]],
    ["essen", ["anna.vonessen"]],
    ["maria  von", ["anna.vonessen"]],
    ["o'neill", ["sean"]],
    ["neill", ["sean"]],
    ["zak lukasz", ["lukasz"]],
    ["aino", ["aino.virtanen", "a.maki"]],
    ["virtanen maki", ["a.maki"]],
    ["lukasz@uni.example", ["lukasz"]],
    ["Aino.Virtanen@uni.example", ["aino.virtanen"]],
    ["aino.virtanen@", ["aino.virtanen"]],
    ["a.maki@u", ["a.maki"]],
    ["AINO.VIRT", ["aino.virtanen", "a.maki"]],
    ["Борис", ["boris"]],
    ["100", ["odd"]],
    ["oneill", ["sean"]],
    ["O’NEILL", ["sean"]],
    ["\u200bo`neill\u200b", ["sean"]],
    ["weiss", ["joerg.weiss"]],
    ["WEIẞ", ["joerg.weiss"]],
    ["thora aesu", ["thora"]],
    ["þóradís", ["thora"]],
    ["truong isil", ["truong"]],
    ["Sean <sean@uni.example>", ["sean"]],
    ["drop", ["odd"]],
  ])("%j", async (words, found) => {
    expect(await find(words)).toEqual(found);
  });

  test.each(["irtanen", "asa virtanen", "%", "_", "'", "& | ! :*", "\\", "@uni.example", "\0"])(
    "nobody by %j",
    async (words) => {
      expect(await find(words)).toEqual([]);
    },
  );
});

test("without a search all players are listed by last name, except deleted ones", async () => {
  const gone = await add("Gone", "Aalto", "gone");
  const profile = database.db.updateTable("profiles").set({ deleted_at: new Date() });
  await profile.where("user_id", "=", gone).execute();
  expect(await find("  ")).toEqual([
    "odd",
    "thora",
    "truong",
    "sean",
    "asa.oberg",
    "aino.virtanen",
    "a.maki",
    "anna.vonessen",
    "joerg.weiss",
    "lukasz",
    "boris",
  ]);
  expect(await find("gone")).toEqual([]);
  expect(await findPlayerRecord(database.db, gone)).toBeNull();
});

test("page by page no player is left out or shown twice", async () => {
  const twins = await Promise.all([1, 2, 3, 4].map((n) => add("Twin", "Tupla", `twin${n}`)));
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page = await searchPlayers(database.db, { words: "", after, limit: 3 });
    expect(page.players.length).toBeLessThanOrEqual(3);
    seen.push(...page.players.map(({ id }) => id));
    after = page.next;
  } while (after);
  expect(seen).toHaveLength(PEOPLE.length + twins.length);
  expect(new Set(seen).size).toBe(seen.length);
});

test.each(["x", "e30", writeCursor(["a"]), writeCursor(["a", "no id"])])(
  "a page that is none (%s) is the first",
  async (after) => {
    const { players } = await searchPlayers(database.db, { words: "asa", after, limit: 5 });
    expect(players).toHaveLength(1);
  },
);

test("a record has the person and the account status", async () => {
  expect(await findPlayerRecord(database.db, ids.sean)).toMatchObject({
    firstName: "Seán",
    email: "sean@uni.example",
    isAdmin: false,
    suspendedAt: null,
    balanceCents: 0,
    debtCents: 0,
  });
  for (const id of ["x", undefined, crypto.randomUUID()]) {
    expect(await findPlayerRecord(database.db, id)).toBeNull();
  }
});

test("the database folds each letter as the program does", async () => {
  const blocks = [
    ...[0x20, 0x370, 0x1e00, 0xfb00].map((from) => [from, from + 0x300]),
    ...[0x600, 0x900, 0x1000, 0x1100, 0x2000, 0x3000, 0xac00, 0xfef0].map((from) => [
      from,
      from + 0xff,
    ]),
  ];
  const signs = blocks.flatMap(([from, to]) =>
    Array.from({ length: to! - from! }, (_, n) => String.fromCodePoint(from! + n)),
  );
  const { rows } = await sql<{ sign: string; theirs: string }>`
    select sign, btrim(folded(sign)) as theirs from unnest(${signs}::text[]) sign`.execute(
    database.db,
  );
  const differing = rows.filter(({ sign, theirs }) => folded(sign) !== theirs.trim());
  expect(differing.map(({ sign }) => sign.codePointAt(0)!.toString(16))).toEqual([]);
});
