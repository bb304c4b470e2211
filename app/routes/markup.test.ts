import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { filledAddresses, parametersOfSources } from "#test/crawler.ts";
import {
  CLOSED_COLUMNS,
  type MarkupScenario,
  markupScenario,
  pagesInTurn,
  textColumns,
  type Viewer,
  useSite,
  VIEWERS,
  writeEverywhere,
} from "#test/markup-scenario.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { type Field, fillIn, type FoundForm, kindOf, kindOfPage } from "#test/page-forms.ts";
import { readPage, structureProblems } from "#test/html-checker.ts";
import { allHostileTexts, type HostileText } from "#test/hostile-texts.ts";
import { NOW } from "#test/fixtures.ts";
import type { App } from "./context.server.ts";
import { isLong } from "#test/long.ts";

// LONG=1 puts every text into every place; otherwise each gets a few of them, others each.

const database = useSite();
withoutTimeouts(database);
if (isLong) vi.setConfig({ testTimeout: 7_200_000 });
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-markup-"));
let app: App;
let scenario: MarkupScenario;
beforeAll(async () => {
  const plain = testApp(database, () => NOW);
  app = { ...plain, env: { ...plain.env, dataDir } };
  scenario = await markupScenario(app);
});
beforeEach(() => scenario.restore());
afterAll(() => rmSync(dataDir, { recursive: true }));

let lastTurn = 0;
/** Turns that nothing else has had. In 300 of them each place holds each of the texts. */
const turns = (long: number, short: number) =>
  Array.from({ length: isLong ? long : short }, () => (lastTurn += 1));

/** The text of a place in a turn: each place has another one. */
const textOf = (turn: number, place: number): HostileText => {
  const all = allHostileTexts();
  return all[(turn * 37 + place * 11) % all.length]!;
};

/** Takes another page of each kind in each turn. */
const pagesOf = (viewer: Viewer, turn: number) => pagesInTurn(scenario.pages[viewer], turn);

/** What is wrong with a response: that it failed, or that it says more than the site wrote. */
async function problemsOf(response: Response): Promise<string[]> {
  const text = await response.text();
  if (response.status >= 500) return [`status ${response.status}`];
  const to = response.headers.get("Location") ?? "/";
  const foreign = /^(https?:)?[/\\]{2}(?!kickabout\.test\/)|^\w+:(?!\/\/kickabout\.test\/)/.test(
    to,
  );
  if (foreign) return [`leads to ${to}`];
  const cookies = response.headers.getSetCookie().filter((cookie) => !/^kickabout_/.test(cookie));
  if (!response.headers.get("Content-Type")?.includes("html")) return cookies;
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  return [...cookies, ...readPage(text, policy).problems];
}

let sender = 0;
const nextAddress = () => `10.${(sender += 1) >> 16}.${(sender >> 8) & 255}.${sender & 255}`;

async function send(form: FoundForm, fields: [string, string][], cookie: string | undefined) {
  const address = nextAddress();
  const query = new URLSearchParams(fields);
  if (!form.isPost) return scenario.ask(`${form.path.split("?")[0]}?${query}`, { cookie, address });
  const multipart = new FormData();
  for (const [name, value] of fields) multipart.append(name, value);
  return scenario.ask(form.path, { cookie, address, body: form.isMultipart ? multipart : query });
}

/**
 * Addresses whose answers may differ by viewer, for each; in the short form one viewer below /admin,
 * and a visitor, who is sent away from there.
 */
const addressesOf = (viewer: Viewer, addresses: Iterable<string>) =>
  [...addresses].filter((address) => {
    const isAdmins = /^\/admin([/?]|$)/.test(address);
    return isLong || viewer === "visitor" || isAdmins === (viewer === "admin");
  });

/** One page of each kind for each viewer; in the short form for one of those who may see it. */
function pagesOnce(viewer: Viewer): string[] {
  const kinds = VIEWERS.map((who) => ({ who, has: new Set(pagesOf(who, 0).map(kindOfPage)) }));
  return pagesOf(viewer, 0).filter((page) => {
    const kind = kindOfPage(page);
    const having = kinds.filter(({ has }) => has.has(kind));
    // Each viewer has some, always the same.
    return isLong || having[kind.length % having.length]!.who === viewer;
  });
}

/** What is invalid in the structure of these pages. */
async function invalidPages(viewer: Viewer, pages: Iterable<string>): Promise<string[]> {
  const wrong: string[] = [];
  for (const page of pages) {
    // A route that is no page may fail as a whole.
    const asked = scenario.ask(page, { cookie: scenario.cookies[viewer] });
    const response = await asked.catch(() => null);
    if (!response?.headers.get("Content-Type")?.includes("html")) continue;
    if (response.headers.has("Location")) continue;
    wrong.push(
      ...invalidIn(await response.text()).map((problem) => `${viewer} ${page}: ${problem}`),
    );
  }
  return wrong;
}

const invalidIn = (html: string) => structureProblems(readPage(html));

test("every page and every error has one title, and valid headings and buttons", async () => {
  for (const viewer of VIEWERS) {
    const shown = scenario.shown[viewer].map(({ page, html }) => [page, invalidIn(html)] as const);
    expect(shown.filter(([, problems]) => problems.length > 0)).toEqual([]);
    const others = filledAddresses(["nothing"]).filter(
      (page) => isLong || page.includes("nothing"),
    );
    expect(await invalidPages(viewer, addressesOf(viewer, others))).toEqual([]);
  }
});

test("a page that cannot be loaded has one title, and valid headings and buttons", async () => {
  await sql`alter table venues rename to no_venues`.execute(app.db);
  const wrong = await Promise.all(VIEWERS.map((viewer) => invalidPages(viewer, pagesOnce(viewer))));
  await sql`alter table no_venues rename to venues`.execute(app.db);
  expect(wrong.flat()).toEqual([]);
});

test("the forms of the site are found, with their fields", () => {
  const found = scenario.forms.flatMap(({ form }) => form.fields.map(({ name }) => name));
  const expected = ["email", "firstName", "major", "phone", "otherSport", "subject", "message"];
  expected.push("comment", "reason", "redirectTo", "priceShown", "city", "dateOfBirth");
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(scenario.forms.length).toBeGreaterThan(25);
});

test("the forms that take words are taken when they are filled in well", async () => {
  const invalid: string[] = [];
  for (const { viewer, form } of scenario.forms.filter(({ form }) => form.fields.some(takesText))) {
    const { status } = await send(form, fillIn(form, {}), scenario.cookies[viewer]);
    if (status >= 400) invalid.push(`${viewer} ${kindOf(form)}: ${status}`);
    await scenario.restore();
  }
  // Nobody is called so.
  expect(invalid).toEqual([
    "admin /admin/games/:id account,intent=add,playerId,formKey,shown,who,amount,method,payment: 422",
    "admin /admin/games/:id account,intent=add,playerId,formKey,shown,who,isHere,amount,method,payment: 422",
  ]);
});

test("whatever is typed into any field, nothing breaks and nothing becomes markup", async () => {
  const wrong: string[] = [];
  for (const [index, one] of scenario.forms.entries()) {
    for (const { names, long } of groupsOf(one.form, index)) {
      for (const turn of turns(long, 1)) {
        const texts = Object.fromEntries(names.map((name, n) => [name, textOf(turn, n).text]));
        const where = `${one.viewer} ${one.form.path} ${JSON.stringify(texts).slice(0, 200)}`;
        const problems = await problemsAfter(one, texts);
        wrong.push(...problems.map((problem) => `${where}: ${problem}`));
      }
    }
  }
  expect(wrong).toEqual([]);
});

// Each fails where it is wrong, and what else was typed then goes nowhere: not among the texts.
const WORDS = ["text", "textarea", "search"];
const CHOSEN = ["hidden", "select", "radio", "checkbox", "submit", "button", "file"];
const takesText = ({ kind }: Field) => WORDS.includes(kind);

/** What to fill in at a time: all words, all else that is typed, and each field alone, or some. */
function groupsOf({ fields }: FoundForm, turn: number) {
  const namesOf = (some: Field[]) => [...new Set(some.map(({ name }) => name))];
  const words = namesOf(fields.filter(takesText));
  const typed = namesOf(fields.filter(({ kind }) => ![...WORDS, ...CHOSEN].includes(kind)));
  const together = [words, typed].filter((names) => names.length > 0);
  const chosen = fields.filter(({ kind }) => CHOSEN.includes(kind));
  const alone = isLong ? fields : chosen.filter((_, index) => (index + turn) % 6 === 0);
  return [
    ...together.map((names) => ({ names, long: 300 })),
    ...namesOf(alone).map((name) => ({ names: [name], long: 20 })),
  ];
}

/** What is wrong with the answer to a form, and with the page that shows what was taken. */
async function problemsAfter(
  { viewer, page, form }: MarkupScenario["forms"][number],
  texts: Record<string, string>,
) {
  const cookie = scenario.cookies[viewer];
  const response = await send(form, fillIn(form, texts), cookie);
  const problems = await problemsOf(response);
  const isTaken = form.isPost && response.status < 400;
  if (isTaken) {
    const set = response.headers.getSetCookie().map((one) => one.split(";")[0]);
    const then = { cookie: [...set, cookie].filter(Boolean).join("; ") };
    const next = await scenario.ask(response.headers.get("Location") ?? page, then);
    problems.push(...(await problemsOf(next)));
  }
  // The next one finds the same data, and is not one too many.
  if (isTaken || response.status === 429) await scenario.restore();
  return problems;
}

test("whatever an address says, nothing breaks and nothing becomes markup", async () => {
  const wrong: string[] = [];
  const names = parametersOfSources();
  expect(names).toEqual(expect.arrayContaining(["redirectTo", "city", "token", "session_id"]));
  const fixed = filledAddresses([]);
  for (const viewer of VIEWERS) {
    const cookie = scenario.cookies[viewer];
    for (const turn of turns(100, 1)) {
      const text = textOf(turn, 0).text.toWellFormed();
      const query = new URLSearchParams(names.map((name) => [name, text]));
      const filled = filledAddresses([encodeURIComponent(text)]).filter(
        (one) => !fixed.includes(one),
      );
      const pages = new Set([...fixed, ...pagesOf(viewer, turn)].map((page) => page.split("?")[0]));
      const all = [...filled, ...[...pages].map((page) => `${page}?${query}`)];
      for (const where of addressesOf(viewer, all)) {
        const problems = await problemsOf(await scenario.ask(where, { cookie }));
        wrong.push(...problems.map((problem) => `${viewer} ${where.slice(0, 200)}: ${problem}`));
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("a NUL in any field or address is shown like any other mistake", async () => {
  const wrong: string[] = [];
  const check = async (where: string, response: Response) => {
    wrong.push(...(await problemsOf(response)).map((problem) => `${where}: ${problem}`));
  };
  for (const { viewer, form } of scenario.forms) {
    const fields = form.fields.filter(({ name }) => name !== "intent");
    const alone = isLong ? fields : [];
    const together = fields.some(takesText) ? [fields.filter(takesText)] : [];
    for (const names of [...together, ...alone.map((field) => [field])]) {
      const texts = Object.fromEntries(names.map(({ name }) => [name, "a\0"]));
      const response = await send(form, fillIn(form, texts), scenario.cookies[viewer]);
      if (response.status < 400) await scenario.restore();
      await check(`${viewer} ${form.path} ${Object.keys(texts).join()}`, response);
    }
  }
  const query = new URLSearchParams(parametersOfSources().map((name) => [name, "a\0"]));
  const { admin: cookie } = scenario.cookies;
  for (const where of filledAddresses(["%00"])) {
    await check(where, await scenario.ask(`${where}?${query}`, { cookie }));
  }
  expect(wrong).toEqual([]);
});

test("whatever the database holds, nothing breaks and nothing becomes markup", async () => {
  const columns = await textColumns(app.db);
  const written = new Set<string>();
  const wrong = new Set<string>();
  for (const turn of turns(300, 3)) {
    for (const [n, column] of columns.entries()) {
      if (await writeEverywhere(app.db, column, textOf(turn, n))) {
        written.add(`${column.table}.${column.column}`);
      }
    }
    // The short form's turns are one for each of them.
    const viewers = isLong ? VIEWERS : [VIEWERS[turn % VIEWERS.length]!];
    for (const viewer of viewers) {
      for (const page of pagesOf(viewer, turn)) {
        const problems = await problemsOf(
          await scenario.ask(page, { cookie: scenario.cookies[viewer] }),
        );
        for (const problem of problems) wrong.add(`${viewer} ${page}: ${problem}`);
      }
    }
  }
  const names = columns.map(({ table, column }) => `${table}.${column}`);
  expect(names.filter((name) => !written.has(name) && !CLOSED_COLUMNS.has(name))).toEqual([]);
  expect([...wrong]).toEqual([]);
});

test("a stored address leads to the web or nowhere", async () => {
  const hostile = allHostileTexts().filter(({ family }) => family === "url");
  const columns = await textColumns(app.db);
  const links = columns.filter(({ column }) => /^(maps_url|website|website_url)$/.test(column));
  expect(links).toHaveLength(3);
  for (const payload of isLong ? hostile : hostile.slice(0, 3)) {
    for (const column of links) await writeEverywhere(app.db, column, payload);
    const cookie = scenario.cookies.player;
    for (const page of scenario.pages.player.filter((one) =>
      /^.(bookings|events|venues)/.test(one),
    )) {
      expect.soft(await problemsOf(await scenario.ask(page, { cookie })), page).toEqual([]);
    }
  }
});
