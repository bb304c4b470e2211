import { expect, test } from "vitest";
import { ELSEWHERE, FOR_ANYONE, FORM_FACTS, WITHOUT_FACTS } from "#test/post-forms.ts";
import { allAddresses, routeModules } from "#test/whole-site.ts";
import { chatForms } from "#app/routes/games/chat/actions.server.ts";

/** Every form that an action takes: its page, with the intent if it has several. */
async function listForms(): Promise<string[]> {
  const modules = new Map((await routeModules()).map(({ id, module }) => [id, module]));
  return allAddresses().flatMap(({ path, ids }) => {
    const { action } = modules.get(ids.at(-1)!)! as { action?: object };
    const place = path.replace(/:\w+/g, ":id");
    if (!action || FOR_ANYONE.some((start) => place.startsWith(start))) return [];
    const intents = WRAPPED[place] ?? ("intents" in action ? (action.intents as string[]) : null);
    return intents?.map((intent) => `${place} intent=${intent}`) ?? [place];
  });
}

/** An action that checks its viewer before it reads the form. */
const WRAPPED: Record<string, string[]> = { "/events/:id/chat": chatForms.intents };

test("each form that an action takes is listed with what it carries, or why nothing", async () => {
  const listed = Object.keys({ ...FORM_FACTS, ...WITHOUT_FACTS, ...ELSEWHERE });
  const forms = await listForms();
  expect(forms.filter((form) => !listed.some((row) => isIn(row, form)))).toEqual([]);
  expect(listed.filter((row) => !forms.some((form) => isIn(row, form)))).toEqual([]);
  expect(forms.length).toBeGreaterThan(95);
});

/** A row names a form, or a page for all of it and below; an intent also where it is the only one. */
function isIn(row: string, form: string): boolean {
  const [place = ""] = form.split(" ");
  return row === form || `${place}/`.startsWith(`${row}/`) || row.split(" ")[0] === form;
}
