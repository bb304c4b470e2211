import type { IncomingMessage } from "node:http";
import { beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { filledAddresses, parametersOfSources } from "#test/crawler.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { type MarkupScenario, markupScenario, useSite } from "#test/markup-scenario.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { fillIn, formsOf } from "#test/page-forms.ts";
import { readPage } from "#test/html-checker.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { costOf, manyNames, worstForms, worstQueries } from "#test/worst-input.ts";
import { NOW } from "#test/fixtures.ts";
import { storeDefaults } from "../../db/defaults.ts";
import { errorStatusOf } from "#app/platform/http.server.ts";
import type { App } from "./context.server.ts";
import { isLong } from "#test/long.ts";

// LONG=1 measures what every form and address costs; otherwise those of visitors have to be answered.
/** CPU time beyond that of what is usual, on a machine with other work. */
const COST_MS = 100;

const database = isLong ? useSite() : useDatabase();
withoutTimeouts(database);
if (isLong) vi.setConfig({ testTimeout: 7_200_000 });
let app: App;
let ask: AskSite;
let adminId: string;
let cookie: string;
let forms: Pick<MarkupScenario["forms"][number], "viewer" | "form">[];
let cookies: Partial<MarkupScenario["cookies"]> = {};
let restore = async () => {};
beforeAll(async () => {
  app = testApp(database, () => NOW);
  const scenario = isLong ? await markupScenario(app) : null;
  ask = scenario?.ask ?? (await openSite(app));
  if (scenario) ({ forms, cookies, restore } = scenario);
  else forms = await formsOfVisitors();
  if (!scenario) await storeDefaults(app.db, app.env);
  adminId = (await anAdmin(app)).id;
  cookie = await signIn(app, adminId);
});

async function formsOfVisitors() {
  const pages = ["/auth", "/auth/forgot", "/auth?tab=sign-up"];
  const found = pages.map(async (page) => formsOf(readPage(await (await ask(page)).text()), page));
  return (await Promise.all(found)).flat().map((form) => ({ viewer: "visitor" as const, form }));
}

let sender = 0;
const nextAddress = () => `10.${(sender += 1) >> 16}.${(sender >> 8) & 255}.${sender & 255}`;

test("a form of more fields than any has is rejected wherever one can be posted", async () => {
  const body = manyNames(16_384);
  const taken: string[] = [];
  for (const where of filledAddresses([crypto.randomUUID()])) {
    const { status } = await ask(where, { cookie, body });
    if (where === "/sign-out") cookie = await signIn(app, adminId);
    if (![400, 404, 405].includes(status)) taken.push(`${where}: ${status}`);
  }
  expect(taken).toEqual([]);
});

test("every address of ours is short enough to be asked for", () => {
  for (const where of filledAddresses(["i".repeat(100)])) {
    for (const url of [where, `${where}.data?redirectTo=${"%252F".repeat(1_400)}`]) {
      const request = { method: "GET", url, headers: { host: "kick.example" } };
      expect(errorStatusOf(request as IncomingMessage), url).toBeNull();
    }
  }
});

const FORMS = isLong ? "costs more than one that is filled in well" : "of a visitor breaks";
test(`no form ${FORMS}, whatever it holds`, async () => {
  const costly: string[] = [];
  expect(forms.length).toBeGreaterThan(isLong ? 25 : 2);
  for (const { viewer, form } of forms) {
    const post = async (body: Blob | URLSearchParams) => {
      const asked = { cookie: cookies[viewer], body, address: nextAddress() };
      const response = await ask(form.path, asked);
      await response.arrayBuffer();
      if (response.status === 302 || response.status === 429) await restore();
      return response.status;
    };
    const usual = () => post(new URLSearchParams(fillIn(form, {})));
    const most = isLong ? (await costOf(usual)).ms + COST_MS : Infinity;
    for (const [what, body] of worstForms(form, isLong ? undefined : ["<"])) {
      const { status, ms } = await costOf(() => post(body), most);
      if (status >= 500 || ms > most) costly.push(`${form.path} ${what}: ${status}, ${ms} ms`);
    }
  }
  expect(costly).toEqual([]);
});

const ADDRESSES = isLong ? "costs more than a plain one" : "of a visitor breaks";
test(`no address ${ADDRESSES}, whatever it holds`, async () => {
  const costly: string[] = [];
  const places = isLong ? filledAddresses([crypto.randomUUID()]) : ["/", "/auth"];
  const get = async (url: string, more = {}) => {
    const request = { method: "GET", url, headers: { host: "kick.example" } };
    const errorStatus = errorStatusOf(request as IncomingMessage);
    if (errorStatus) return errorStatus;
    const response = await ask(url, { cookie, ...more });
    await response.arrayBuffer();
    return response.status;
  };
  const names = [...parametersOfSources(), "_routes"];
  for (const where of [...places, "/__manifest"]) {
    const most = isLong ? (await costOf(() => get(where))).ms + COST_MS : Infinity;
    const queries = worstQueries(names, isLong ? undefined : [","]);
    for (const query of queries) {
      const { status, ms } = await costOf(() => get(`${where}?${query}`), most);
      const what = `${where}?${query.slice(0, 60)}: ${status}, ${ms} ms`;
      if (status >= 500 || ms > most) costly.push(what);
    }
  }
  expect(costly).toEqual([]);
});
