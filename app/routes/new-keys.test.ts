import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { NOW } from "#test/fixtures.ts";
import { readPage, type Tag } from "#test/html-checker.ts";
import {
  type MarkupScenario,
  markupScenario,
  pagesInTurn,
  useSite,
  VIEWERS,
  type Viewer,
} from "#test/markup-scenario.ts";
import { moduleAt } from "#test/whole-site.ts";

const database = useSite();
interface Load {
  page: string;
  file: string;
  shouldRevalidate: unknown;
  once: Hidden[];
  again: Hidden[];
}
const loads: Load[] = [];

beforeAll(async () => {
  const scenario = await markupScenario(testApp(database, () => NOW));
  const unpaid = { payment_status: "Unpaid" as const };
  const { db } = database;
  await db.updateTable("bookings").set(unpaid).where("payment_status", "=", "Paid").execute();
  for (const viewer of VIEWERS) {
    for (const page of pagesInTurn(scenario.pages[viewer], 0)) {
      const once = await hiddenFields(scenario, viewer, page);
      const again = await hiddenFields(scenario, viewer, page);
      const { file, module } = await moduleAt(page);
      loads.push({ page, file, shouldRevalidate: module.shouldRevalidate, once, again });
    }
  }
});

interface Hidden {
  field: string;
  name: string;
  isOnce: boolean;
}

/** The hidden fields of a page's posted forms. */
async function hiddenFields({ ask, cookies }: MarkupScenario, viewer: Viewer, page: string) {
  const response = await ask(page, { cookie: cookies[viewer] });
  const { tags } = readPage(await response.text());
  const fields = tags.filter((tag) => tag.attributes["type"] === "hidden" && isPosted(tag));
  return fields.map(({ attributes: { name = "", value, ...others } }): Hidden => {
    return { field: `${name}=${value}`, name, isOnce: "data-once" in others };
  });
}

function isPosted(tag: Tag | null): boolean {
  if (tag?.name === "form") return tag.attributes["method"] === "post";
  return tag !== null && isPosted(tag.parent);
}

const isNew = ({ field }: Hidden, other: Hidden[]) => !other.some((one) => one.field === field);

// A form sent again after a 409 would otherwise carry the used key for ever.
test("no page whose forms get a new id or key decides itself whether a conflict reloads it", () => {
  const withKeys = new Map<string, unknown>();
  for (const { file, shouldRevalidate, once, again } of loads) {
    if (once.some((field) => isNew(field, again))) withKeys.set(file, shouldRevalidate);
  }
  const found = [...withKeys.keys()];
  expect(found).toContain("routes/admin/partners/edit.tsx");
  expect(found.length).toBeGreaterThan(9);
  expect(found.filter((file) => withKeys.get(file) !== undefined)).toEqual([]);
});

// A draft is found by the other hidden fields of its form, which are the same after a reload.
test("a hidden field is marked exactly where each load of its page makes it new", () => {
  const wrong: string[] = [];
  const marked = new Set<string>();
  for (const { page, file, once, again } of loads) {
    if (file.startsWith("routes/demo/")) continue;
    for (const each of once) {
      if (each.isOnce) marked.add(each.name);
      if (each.isOnce !== isNew(each, again)) wrong.push(`${page} ${each.field}`);
    }
  }
  expect(wrong).toEqual([]);
  const names = ["answerId", "cashPaymentId", "formKey", "messageId"];
  expect([...marked].sort()).toEqual([...names, "packId", "partnerId", "venueId"]);
});
