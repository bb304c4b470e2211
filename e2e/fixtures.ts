import { test as base, type Page } from "@playwright/test";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { signInAs } from "./site.ts";
import { isLong } from "#test/long.ts";

export { expect, type Page } from "@playwright/test";

interface Visit {
  /** Signs the page's browser in without the form and the cost of a password. */
  signIn(who: string): Promise<void>;
}
interface Backstage {
  dataDir: string;
  database: Connection;
}

/** Playwright's test on the site that the run has started. */
export const test = base.extend<Visit, Backstage>({
  baseURL: async ({}, use) => use(given("E2E_URL")),
  /** Has gone to a page once its scripts have started: a person looks before pressing. */
  page: async ({ page, javaScriptEnabled }, use) => {
    page.on("requestfailed", (request) => {
      const why = `${request.url()}: ${request.failure()?.errorText}`;
      failures.set(page, [...(failures.get(page) ?? []), why]);
    });
    const goto = page.goto.bind(page);
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (javaScriptEnabled && options?.waitUntil !== "domcontentloaded") await whenStarted(page);
      return response;
    };
    await use(page);
  },
  signIn: async ({ context, baseURL, dataDir, database }, use) => {
    await use((who) => signInAs(context, { url: baseURL!, dataDir, db: database.db }, who));
  },
  dataDir: [async ({}, use) => use(given("E2E_DATA_DIR")), { scope: "worker" }],
  database: [
    async ({ dataDir }, use) => {
      const database = await connect({ databaseUrl: undefined, dataDir });
      await use(database);
      await database.close();
    },
    { scope: "worker" },
  ],
});

/**
 * Runs with and, where LONG=1, without scripts. app/routes/markup.test.ts posts each form of the
 * site as it stands in the page, and in a short run a browser without scripts still goes from a
 * shared link to a paid game (way-in.spec.ts) and arranges a venue's photos (admin-venues.spec.ts).
 */
export const WITH_SCRIPTS = isLong ? [true, false] : [true];

/** Cases that differ in one value: all of them where LONG=1, otherwise the first ones. */
export function firstCases<T>(cases: readonly T[], count = 1): readonly T[] {
  return isLong ? cases : cases.slice(0, count);
}

function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run \`npx playwright test\``);
  return value;
}

const failures = new WeakMap<Page, string[]>();

/**
 * Scripts come after a page has been loaded, the router after all others, and its parts hydrate one by
 * one: a form that is sent before is sent by the browser. A page of text has no scripts.
 */
export async function whenStarted(page: Page): Promise<void> {
  const hasStarted = () => {
    const script = document.querySelector('script[type="text/later"], script[type="module"]');
    const isHydrated = (form: Element) =>
      Object.keys(form).some((key) => key.startsWith("__react"));
    if (!script) return true;
    return "__reactRouterDataRouter" in window && [...document.forms].every(isHydrated);
  };
  // Part of the load, which a busy machine may stretch; a file that did not come is why it never ends.
  await page.waitForFunction(hasStarted, null, { timeout: 90_000 }).catch((error: unknown) => {
    throw new Error(["scripts have not started", ...(failures.get(page) ?? [])].join("\n"), {
      cause: error,
    });
  });
}
