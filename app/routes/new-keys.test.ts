import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { NOW } from "#test/fixtures.ts";
import { readPage } from "#test/html-checker.ts";
import {
  type MarkupScenario,
  markupScenario,
  pagesInTurn,
  VIEWERS,
  type Viewer,
} from "#test/markup-scenario.ts";
import { formsOf } from "#test/page-forms.ts";
import { moduleAt } from "#test/whole-site.ts";
import { revalidateOnConflict } from "#app/forms/revalidate-on-conflict.ts";

const database = useDatabase();
let scenario: MarkupScenario;
beforeAll(async () => {
  scenario = await markupScenario(testApp(database, () => NOW));
});

/** The hidden fields of a page's posted forms. */
async function hiddenFields(viewer: Viewer, page: string): Promise<string[]> {
  const response = await scenario.ask(page, { cookie: scenario.cookies[viewer] });
  const forms = formsOf(readPage(await response.text()), page).filter(({ isPost }) => isPost);
  const fields = forms.flatMap(({ fields }) => fields.filter(({ kind }) => kind === "hidden"));
  return fields.map(({ name, value }) => `${name}=${value}`);
}

// A form sent again after a 409 would otherwise carry the used key for ever.
test("every page whose forms get a new id or key is reloaded when a form fails by a conflict", async () => {
  const withKeys = new Map<string, unknown>();
  for (const viewer of VIEWERS) {
    for (const page of pagesInTurn(scenario.pages[viewer], 0)) {
      const [once, again] = [await hiddenFields(viewer, page), await hiddenFields(viewer, page)];
      const { file, module } = await moduleAt(page);
      if (once.some((field) => !again.includes(field))) withKeys.set(file, module.shouldRevalidate);
    }
  }
  const found = [...withKeys.keys()];
  expect(found).toContain("routes/admin/partners/new.tsx");
  expect(found.length).toBeGreaterThan(9);
  // A sandbox checkout is one session however often its card is declined, as at Stripe.
  const others = found.filter((file) => withKeys.get(file) !== revalidateOnConflict);
  expect(others).toEqual(["routes/demo/checkout.tsx"]);
});
