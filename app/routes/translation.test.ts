import { expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { NOW } from "#test/fixtures.ts";
import { readPage, type Tag } from "#test/html-checker.ts";
import { markupScenario, useSite, type Viewer } from "#test/markup-scenario.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import type { App } from "./context.server.ts";

const database = useSite();
withoutTimeouts(database);

// A visitor's pages are made of the same parts.
const VIEWERS: Viewer[] = ["player", "admin"];

test("a name or an address that stands alone on a page is never translated", async () => {
  const app = testApp(database, () => NOW);
  const { shown } = await markupScenario(app);
  const names = await namesOf(app);
  const found = new Set<string>();
  const translated = new Set<string>();
  for (const viewer of VIEWERS) {
    for (const { page, html } of shown[viewer]) {
      const { tags } = readPage(html);
      for (const tag of tags.filter(({ text }) => names.has(text.trim()))) {
        found.add(tag.text.trim());
        if (!isKept(tag)) translated.add(`${viewer} ${page}: ${tag.name} ${tag.text}`);
      }
    }
  }
  expect(found.size).toBeGreaterThan(8);
  expect([...translated]).toEqual([]);
});

async function namesOf({ db, env }: App): Promise<Set<string>> {
  const people = await db
    .selectFrom("profiles")
    .select(["first_name", "last_name", "email"])
    .execute();
  const venues = await db.selectFrom("venues").select(["name", "address"]).execute();
  const partners = await db.selectFrom("partners").select("name").execute();
  const names = [
    ...[env.brandName, env.universityName, env.contactEmail],
    ...people.flatMap((one) => [`${one.first_name} ${one.last_name}`, one.first_name, one.email]),
    ...[...venues, ...partners].flatMap((one) => Object.values(one)),
  ];
  return new Set(names.filter((name) => name !== null));
}

// No translator changes a title's markup or reads what is typed.
const OTHERS = ["title", "textarea", "option"];
const isKept = (tag: Tag | null): boolean =>
  tag !== null &&
  (tag.attributes.translate === "no" || OTHERS.includes(tag.name) || isKept(tag.parent));
