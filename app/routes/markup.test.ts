import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testApp } from "../../test/app.ts";
import { filledPlaces } from "../../test/crawl.ts";
import { useDatabase } from "../../test/db.ts";
import {
  type MarkupWorld,
  markupWorld,
  textColumns,
  VIEWERS,
  writeEverywhere,
} from "../../test/markup-world.ts";
import { withPatience } from "../../test/patience.ts";
import { fillIn, type FoundForm } from "../../test/page-forms.ts";
import { readPage } from "../../test/page-grammar.ts";
import { allPayloads, type Payload, somePayloads } from "../../test/payloads.ts";
import { NOW } from "../../test/world.ts";
import type { App } from "./context.server.ts";

// LONG=1 puts every text into every field; else each gets a share of them, another one each.
const LONG = process.env.LONG === "1";

const database = useDatabase();
withPatience(database);
if (LONG) vi.setConfig({ testTimeout: 7_200_000 });
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-markup-"));
let app: App;
let world: MarkupWorld;
let turn = 0;
beforeAll(async () => {
  const plain = testApp(database, () => NOW);
  app = { ...plain, env: { ...plain.env, dataDir } };
  world = await markupWorld(app);
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const share = (count: number) => (LONG ? allPayloads() : somePayloads(count, (turn += 1)));

/** What is wrong with an answer: that it broke, or that it says more than the site wrote. */
async function problemsOf(answer: Response): Promise<string[]> {
  const text = await answer.text();
  if (answer.status >= 500) return [`status ${answer.status}`];
  const to = answer.headers.get("Location") ?? "/";
  const foreign = /^(https?:)?[/\\]{2}(?!kickabout\.test\/)|^\w+:(?!\/\/kickabout\.test\/)/.test(
    to,
  );
  if (foreign) return [`leads to ${to}`];
  const cookies = answer.headers.getSetCookie().filter((cookie) => !/^kickabout_/.test(cookie));
  if (!answer.headers.get("Content-Type")?.includes("html")) return cookies;
  return [...cookies, ...readPage(text).problems];
}

let sender = 0;
const nextAddress = () => `10.${(sender += 1) >> 16}.${(sender >> 8) & 255}.${sender & 255}`;

async function send(form: FoundForm, fields: [string, string][], cookie: string | undefined) {
  const address = nextAddress();
  const query = new URLSearchParams(fields);
  if (!form.isPost) return world.ask(`${form.path.split("?")[0]}?${query}`, { cookie, address });
  const multipart = new FormData();
  for (const [name, value] of fields) multipart.append(name, value);
  return world.ask(form.path, { cookie, address, body: form.isMultipart ? multipart : query });
}

test("the forms of the site are found, with their fields", () => {
  const found = world.forms.flatMap(({ form }) => form.fields.map(({ name }) => name));
  const expected = ["email", "firstName", "major", "phone", "otherSport", "subject", "message"];
  expected.push("comment", "reason", "redirectTo", "priceShown", "city", "dateOfBirth");
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(world.forms.length).toBeGreaterThan(25);
});

test("whatever is typed into any field, nothing breaks and nothing becomes markup", async () => {
  const wrong: string[] = [];
  for (const { viewer, page, form } of world.forms) {
    for (const { name } of form.fields) {
      // A form may end the session.
      const cookie = await world.cookieOf(viewer);
      for (const { text } of share(1)) {
        const problems = await problemsOf(await send(form, fillIn(form, name, text), cookie));
        const where = `${viewer} ${form.path} ${name} ${JSON.stringify(text.slice(0, 60))}`;
        wrong.push(...problems.map((problem) => `${where}: ${problem}`));
      }
    }
    const after = await problemsOf(await world.ask(page, { cookie: await world.cookieOf(viewer) }));
    wrong.push(...after.map((problem) => `${page} after ${form.path}: ${problem}`));
  }
  expect(wrong).toEqual([]);
});

test("whatever an address says, nothing breaks and nothing becomes markup", async () => {
  const wrong: string[] = [];
  const names = parametersOfSources();
  expect(names).toEqual(expect.arrayContaining(["redirectTo", "city", "token", "session_id"]));
  for (const viewer of VIEWERS) {
    const cookie = await world.cookieOf(viewer);
    const values = share(3).map(({ text }) => text.toWellFormed());
    const asked = values.flatMap((text) => filledPlaces([encodeURIComponent(text)]));
    for (const [n, address] of [...new Set([...asked, ...world.pages[viewer]])].entries()) {
      const query = new URLSearchParams(names.map((name) => [name, values[n % values.length]!]));
      for (const where of [address, `${address.split("?")[0]}?${query}`]) {
        const problems = await problemsOf(await world.ask(where, { cookie }));
        wrong.push(...problems.map((problem) => `${viewer} ${where.slice(0, 200)}: ${problem}`));
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("whatever the database holds, nothing breaks and nothing becomes markup", async () => {
  const columns = await textColumns(app.db);
  const written = new Set<string>();
  const wrong: string[] = [];
  const rounds = LONG ? allPayloads().length : 3;
  for (let round = 0; round < rounds; round += 1) {
    for (const [n, column] of columns.entries()) {
      const payload = textOf(round, n);
      if (await writeEverywhere(app.db, column, payload)) {
        written.add(`${column.table}.${column.column}`);
      }
    }
    for (const viewer of VIEWERS) {
      const cookie = await world.cookieOf(viewer);
      for (const page of world.pages[viewer]) {
        const problems = await problemsOf(await world.ask(page, { cookie }));
        wrong.push(...problems.map((problem) => `${viewer} ${page}: ${problem}`));
      }
    }
  }
  expect([...written]).toEqual(expect.arrayContaining(SHOWN));
  expect([...new Set(wrong)]).toEqual([]);
});

test("a stored address leads to the web or nowhere", async () => {
  const hostile = allPayloads().filter(({ family }) => family === "url");
  const columns = await textColumns(app.db);
  const links = columns.filter(({ column }) => /^(maps_url|website|website_url)$/.test(column));
  expect(links).toHaveLength(3);
  for (const payload of LONG ? hostile : hostile.slice(0, 3)) {
    for (const column of links) await writeEverywhere(app.db, column, payload);
    const cookie = await world.cookieOf("player");
    for (const page of world.pages.player.filter((one) => /^.(bookings|events|venues)/.test(one))) {
      expect.soft(await problemsOf(await world.ask(page, { cookie })), page).toEqual([]);
    }
  }
});

// Each column another text, and another one each round.
const textOf = (round: number, n: number): Payload => {
  const all = allPayloads();
  return all[(round * 37 + n * 11) % all.length]!;
};

const SHOWN = [
  ...["venues.name", "venues.description", "venues.address", "venues.city", "venues.website"],
  ...["venues.maps_url", "venues.photo_urls", "venues.photo_alts", "games.title"],
  ...["games.description", "games.game_format", "partners.name", "partners.website_url"],
  ...["partners.logo_url", "legal_pages.title", "legal_pages.content", "credit_packs.pack_name"],
  ...["profiles.first_name", "profiles.last_name", "profiles.major", "profiles.phone"],
  ...["profiles.sports_interests", "profiles.nationality", "profiles.profile_picture_url"],
  ...["bookings.cancel_reason", "support_messages.subject", "reviews.comment", "users.name"],
];

/** The names that our sources read from an address; a new one is asked for as well. */
function parametersOfSources(): string[] {
  const folder = path.join(import.meta.dirname, "..");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
  const reads = sources.flatMap((file) => [
    ...readFileSync(path.join(folder, file), "utf8").matchAll(
      /(?:[qQ]uery|[pP]arams)\.(?:get|getAll|has)\("(\w+)"/g,
    ),
  ]);
  return [...new Set(reads.map(([, name]) => name!))];
}
