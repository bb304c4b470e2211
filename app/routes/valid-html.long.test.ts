import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { filledAddresses } from "#test/crawler.ts";
import { NOW } from "#test/fixtures.ts";
import { validatePages } from "#test/html-validator.ts";
import { markupScenario, pagesInTurn, useSite, VIEWERS } from "#test/markup-scenario.ts";

vi.setConfig({ testTimeout: 1_200_000 });
const database = useSite();
const folder = mkdtempSync(path.join(tmpdir(), "kickabout-pages-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a page or a part of it of each. */
const FAILING = [
  "venues",
  "games",
  "support_messages",
  "credit_packs",
  "wallet_transactions",
  "profiles",
];

const isPage = ({ headers }: Response) =>
  Boolean(headers.get("Content-Type")?.includes("html")) && !headers.has("Location");
const withOpenDialogs = (html: string) => html.replace(/<dialog (?![^>]* open)/g, "<dialog open ");
const statuses = (pages: Map<string, string>) =>
  [...new Set([...pages.keys()].map((name) => name.slice(-3)))].toSorted();

test("every page of every viewer is valid HTML, with its dialogs open, and so is every error", async () => {
  const app = testApp(database, () => NOW);
  const scenario = await markupScenario(app);
  const pages = new Map<string, string>();
  for (const viewer of VIEWERS) {
    const kinds = [0, 1, 2].flatMap((turn) => pagesInTurn(scenario.pages[viewer], turn));
    for (const address of new Set([
      ...kinds,
      ...filledAddresses(["nothing", crypto.randomUUID()]),
    ])) {
      const response = await scenario.ask(address, { cookie: scenario.cookies[viewer] });
      if (!isPage(response)) continue;
      const html = await response.text();
      pages.set(`${viewer} ${address} ${response.status}`, withOpenDialogs(html));
    }
  }
  for (const table of FAILING) {
    await sql.raw(`alter table ${table} rename to no_${table}`).execute(app.db);
    for (const viewer of VIEWERS) {
      for (const address of pagesInTurn(scenario.pages[viewer], 0)) {
        const asked = scenario.ask(address, { cookie: scenario.cookies[viewer] });
        // A route that is no page fails as a whole.
        const response = await asked.catch(() => null);
        if (!response || !isPage(response) || response.status !== 500) continue;
        pages.set(`${viewer} without ${table} ${address} 500`, await response.text());
      }
    }
    await sql.raw(`alter table no_${table} rename to ${table}`).execute(app.db);
  }
  expect(pages.size).toBeGreaterThan(200);
  expect(statuses(pages)).toEqual(expect.arrayContaining(["200", "403", "404", "500"]));
  expect(validatePages(folder, pages)).toEqual([]);
});
