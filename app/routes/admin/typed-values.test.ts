import { sql } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { testApp } from "#test/app.ts";
import { NOW } from "#test/fixtures.ts";
import { readPage } from "#test/html-checker.ts";
import { type MarkupScenario, markupScenario, useSite } from "#test/markup-scenario.ts";
import { fillIn, formsOf, type FoundForm, kindOf } from "#test/page-forms.ts";

const database = useSite();
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-typed-"));
let app: App;
let scenario: MarkupScenario;
beforeAll(async () => {
  const plain = testApp(database, () => NOW);
  app = { ...plain, env: { ...plain.env, dataDir } };
  scenario = await markupScenario(app);
});
afterAll(() => rmSync(dataDir, { recursive: true }));

/** Posts a form while no audit entry can be written: nothing that an admin does can be saved. */
async function sendWithoutAudit(form: FoundForm, fields: [string, string][]) {
  await scenario.restore();
  await sql`alter table audit_log rename to audit_log_away`.execute(database.db);
  try {
    const body = new URLSearchParams(fields);
    return await scenario.ask(form.path, { cookie: scenario.cookies.admin, body });
  } finally {
    await sql`alter table audit_log_away rename to audit_log`.execute(database.db);
  }
}

/** What somebody sees of a form and may have typed; passwords are not shown again. */
const isTyped = ({ kind }: { kind: string }) =>
  !["hidden", "file", "password", "radio", "checkbox", "button", "submit"].includes(kind);

const intentOf = ({ path, fields }: FoundForm) =>
  `${path.split("?")[0]} ${fields.find(({ name }) => name === "intent")?.value}`;

/** What is wrong with the page that a form leads to where nothing could be saved. */
function lostValues(form: FoundForm, sent: [string, string][], html: string): string[] {
  if (html.includes("Something went wrong")) return ["the error screen"];
  const shown = formsOf(readPage(html), form.path).filter(
    (one) => intentOf(one) === intentOf(form),
  );
  if (shown.length === 0) return ["the form is gone"];
  // The scenario sends fields too that a form does not have.
  const names = new Set(shown.flatMap(({ fields }) => fields.map(({ name }) => name)));
  return form.fields
    .filter((field) => isTyped(field) && names.has(field.name))
    .flatMap(({ name }) => {
      const value = Object.fromEntries(sent)[name];
      const isThere = shown.some(({ fields }) =>
        fields.some((field) => field.name === name && field.value === value),
      );
      return isThere ? [] : [`${name} was ${value}`];
    });
}

test("every admin form keeps what was typed where our side breaks", async () => {
  vi.spyOn(log, "error").mockImplementation(() => {});
  const forms = scenario.forms.filter(
    ({ viewer, form }) => viewer === "admin" && form.isPost && form.path.startsWith("/admin"),
  );
  const broken: string[] = [];
  const lost: Record<string, string[]> = {};
  for (const { form } of forms) {
    const fields = fillIn(form, {});
    const response = await sendWithoutAudit(form, fields);
    if (response.status < 500) continue;
    broken.push(kindOf(form));
    const problems = lostValues(form, fields, await response.text());
    if (problems.length > 0) lost[kindOf(form)] = problems;
  }
  expect(lost).toEqual({});
  // Else the forms failed before anything could break, and nothing was proved.
  expect(broken.length).toBeGreaterThan(15);
});
