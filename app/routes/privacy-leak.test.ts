import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import {
  aMarkedPlayer,
  type MarkedPlayer,
  changeLife,
  heldOf,
  NAMES,
  PRIVATE,
  SPELLED,
  leaksIn,
} from "#test/privacy-leak.ts";
import { filledAddresses, look, type Seen, walk } from "#test/crawler.ts";
import { useDatabase } from "#test/db.ts";
import { kindOfPage } from "#test/page-forms.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { somePacks } from "#test/payments.ts";
import { signIn } from "#test/visit.ts";
import { allAddresses, type AskSite, openSite } from "#test/whole-site.ts";
import { aPlayer, NOW } from "#test/fixtures.ts";
import { storeDefaults } from "../../db/defaults.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "./context.server.ts";
import { isLong } from "#test/long.ts";

// LONG=1 walks everywhere again once another life is lived; otherwise each kind of page is looked at.

const database = useDatabase();
withoutTimeouts(database);
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-privacy-leak-"));
const logged: string[] = [];
let app: App;
let ask: AskSite;
let owner: MarkedPlayer;
let stranger: string;
let secrets: string[];
let stopListening = () => {};
const seen = {} as Record<"visitor" | "player", Seen[]>;

beforeAll(async () => {
  const demo = testApp(database, () => NOW);
  // The demo's outbox shows everybody's mail, and does not exist in production.
  app = { ...demo, env: { ...demo.env, demo: false, dataDir } };
  ask = await openSite(app);
  await somePacks(app.db);
  await storeDefaults(app.db, app.env);
  owner = await aMarkedPlayer(app);
  stranger = await signIn(app, await aPlayer(app.db, { credits: 20 }));
  secrets = [...SPELLED, owner.cookie, ...(await heldOf(app.db, owner.userId))];
  listenToLog();
  seen.visitor = await walk({ ask, from: await starts() });
  seen.player = await walk({ ask, from: await starts(stranger), cookie: stranger });
});
afterAll(() => {
  stopListening();
  rmSync(dataDir, { recursive: true });
});

/**
 * Every address with each of the ids. The short form asks for all of them too, and walks on from those
 * that show something, and from one of each kind that is answered otherwise.
 */
async function starts(cookie?: string): Promise<string[]> {
  const all = filledAddresses(Object.values(owner.addresses));
  if (isLong) return all;
  const known = new Set<string>();
  const some: string[] = [];
  for (const path of all) {
    const { status } = await look(ask, path, cookie);
    const kind = `${status} ${kindOfPage(path)}`;
    if (status === 200 || !known.has(kind)) some.push(path);
    known.add(kind);
  }
  return some;
}

function listenToLog() {
  const write = (line: string) => void logged.push(line);
  const before = { level: log.level, stream: Reflect.get(log, pino.symbols.streamSym) };
  stopListening = () =>
    Object.assign(log, { level: before.level, [pino.symbols.streamSym]: before.stream });
  Object.assign(log, { [pino.symbols.streamSym]: { write } });
  log.level = "trace";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => (write(String(text)), true));
  }
}

test("the walk comes to every address, and to what it shows", () => {
  expect(secrets.length).toBeGreaterThan(80);
  for (const pages of Object.values(seen)) {
    expect(pages.length).toBeGreaterThan(300);
    for (const { path: pattern } of allAddresses()) {
      const shape = new RegExp(
        `^${pattern.replace(/:[A-Za-z]+|\*/g, ".+").replace(".png", "\\.png")}$`,
      );
      expect(
        pages.some((page) => shape.test(page.path)),
        pattern,
      ).toBe(true);
    }
    expect(pages.filter(({ status }) => status >= 500).map((page) => page.path)).toEqual([]);
    for (const type of ["text/html", "image/png", "image/webp", "text/x-script", "xml"]) {
      expect(
        pages.some((page) => page.status === 200 && page.type.includes(type)),
        type,
      ).toBe(true);
    }
  }
  const shows = ({ body }: Seen) => body.includes(NAMES[0]);
  expect(seen.player.filter(shows).length).toBeGreaterThan(5);
});

test.each(["visitor", "player"] as const)("a %s receives no private byte", (who) => {
  expect(leaksIn(seen[who], secrets)).toEqual([]);
});

test("a visitor receives no player's name or id, except on a shared card", () => {
  const isCard = ({ path: asked }: Seen) => asked.includes(owner.token);
  const elsewhere = seen.visitor.filter((page) => !isCard(page));
  const ids = [owner.userId, owner.other];
  // An answer may name the address that it was asked for.
  const asked = ({ path: address }: Seen) => ids.some((id) => address.includes(id));
  expect(leaksIn(elsewhere, [...NAMES, PRIVATE.major])).toEqual([]);
  expect(
    leaksIn(
      elsewhere.filter((page) => !asked(page)),
      ids,
    ),
  ).toEqual([]);
  const onCard = seen.visitor.filter(isCard);
  expect(leaksIn(onCard, [NAMES[0]]).length).toBeGreaterThan(1);
  expect(leaksIn(onCard, [NAMES[2], NAMES[3], PRIVATE.major, ...ids])).toEqual([]);
});

test("nothing private is logged, by looking or by trying to get in", async () => {
  const { email, subject } = PRIVATE;
  const tries = [
    ["/auth", { intent: "sign-in", email, password: SECRET }],
    ["/auth", { intent: "resend", email }],
    ["/auth/forgot", { email }],
    ["/settings/change-password", { current: SECRET, password: SECRET }],
    ["/settings/contact-support", { subject, message: "\u0000" }],
  ] as const;
  for (const [address, fields] of tries) {
    const answer = await ask(address, { body: new URLSearchParams(fields), cookie: owner.cookie });
    expect(answer.status, address).toBeLessThan(500);
  }
  // What breaks is logged too, with what the database says of it.
  const failing = app.db.insertInto("users").values({ email, name: NAMES[0] }).execute();
  log.error({ err: await failing.catch((error: unknown) => error) }, "tried");
  expect(logged.length).toBeGreaterThan(10);
  const pages = logged.map((line) => ({ ...NOTHING, path: "log", body: Buffer.from(line) }));
  expect(leaksIn(pages, [...secrets, ...NAMES, SECRET])).toEqual([]);
});

const SECRET = "Wrong-Xylem-1";
const NOTHING = { status: 200, type: "text/plain", head: "" };

test.each([
  ["in the page", (page: string) => page.replace("</main>", "<!--1993-08-29--></main>")],
  ["escaped", (page: string) => page.replace("</main>", `${escaped(PRIVATE.reason)}</main>`)],
  ["in data", (page: string) => page.replace("</main>", "\\u002b358407137713</main>")],
  ["in base64", (page: string) => page.replace("</main>", `${btoa(`a:${PRIVATE.email}`)}</main>`)],
])("a page that names %s is found", async (_, leak) => {
  const known = new Map(seen.player.map((page) => [page.path, page]));
  const leaky: AskSite = async (path) => {
    const { body, type } = known.get(path) ?? (await look(ask, path, stranger));
    return new Response(leak(body.toString()), { headers: { "Content-Type": type } });
  };
  const pages = await walk({ ask: leaky, from: ["/terms"], cookie: stranger });
  expect(leaksIn(pages, secrets).length).toBeGreaterThan(5);
});

test("a header that leaks is found", async () => {
  const head = `etag: ${encodeURIComponent(PRIVATE.email)}`;
  expect(leaksIn([{ ...NOTHING, path: "/", head, body: Buffer.of() }], [PRIVATE.email])).toEqual([
    `/: ${PRIVATE.email}`,
  ]);
});

const escaped = (text: string) => text.replaceAll('"', "&quot;").replaceAll("'", "&#x27;");

// Comes last: it changes the private data.
test("another private life changes not a byte of what others get, pictures included", async () => {
  await changeLife(app.db, owner.userId);
  for (const who of ["visitor", "player"] as const) {
    const cookie = who === "player" ? stranger : undefined;
    const again = new Map<string, string>();
    const pages = isLong
      ? await walk({ ask, from: await starts(cookie), cookie })
      : await lookAgain(who, cookie);
    for (const page of pages) again.set(page.path, all(page));
    const compared = isLong ? seen[who] : seen[who].filter(({ path }) => again.has(path));
    const changed = compared.filter((page) => again.get(page.path) !== all(page));
    expect(changed.map((page) => page.path)).toEqual([]);
  }
});

/** All pictures, and of each kind of page and data one that says something. */
async function lookAgain(who: "visitor" | "player", cookie: string | undefined): Promise<Seen[]> {
  const shown = seen[who].filter(({ status }) => status === 200);
  const pictures = shown.filter(({ type }) => type.startsWith("image/"));
  const kinds = Object.values(Object.groupBy(shown, ({ path }) => kindOfPage(path)));
  const paths = new Set(
    [...pictures, ...kinds.map((kind) => kind!.at(-1)!)].map((one) => one.path),
  );
  expect(paths.size).toBeGreaterThan(60);
  return Promise.all([...paths].map((path) => look(ask, path, cookie)));
}

const all = ({ status, head, body }: Seen) =>
  [status, head.replace(/^set-cookie: .*$/gm, ""), withoutKeys(body)].join();

// Latin-1 keeps each byte as one character. The key of a page's forms is another one each time.
const withoutKeys = (body: Buffer) =>
  body.toString("latin1").replace(/(formKey\W+(?:value\W+)?)[0-9a-f-]{36}/g, "$1");
