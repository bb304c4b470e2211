import type { Browser, BrowserContext, Locator, Page } from "@playwright/test";
import { connect } from "#app/platform/connect.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { signInAs, startSite } from "../site.ts";
import { endOf, pathOf } from "./screen.ts";
import { addNewcomer, stageScenario, type Scenario, type Screen } from "./scenario.ts";

/** A site of its own for the screens, for they join, cancel and delete. */
export interface Stage {
  url: string;
  dataDir: string;
  db: Db;
  scenario: Scenario;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const site = await startSite();
  try {
    const { db, close } = await connect({ databaseUrl: undefined, dataDir: site.dataDir });
    const { sessionSecret } = readEnv({ DEMO: "1", DATA_DIR: site.dataDir });
    const scenario = await stageScenario(db, sessionSecret);
    const { url, dataDir } = site;
    return { url, dataDir, db, scenario, close: () => close().then(() => site.stop()) };
  } catch (error) {
    await site.stop();
    throw error;
  }
}

type Theme = "light" | "dark";
export interface Look {
  theme: Theme;
  width: number;
  height: number;
  /** Of text, in percent. */
  text?: number;
}
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
export const LOOKS: Look[] = [
  { theme: "light", ...PHONE },
  { theme: "dark", ...PHONE },
  { theme: "dark", ...DESKTOP },
  { theme: "light", ...DESKTOP },
];

/** Opens a screen in a browser of its own and does what is to be done. */
export async function openScreen(browser: Browser, stage: Stage, screen: Screen) {
  const context = await openContext(browser, stage);
  await enter(context, stage, screen);
  const page = await context.newPage();
  const status = await showScreen(page, stage, screen);
  return { page, status, close: () => context.close() };
}

/** Shows a screen in a page that is signed in for it, and returns the response's status. */
export async function showScreen(page: Page, stage: Stage, screen: Screen): Promise<number> {
  // By then its script has run, where it has one: a person looks before pressing.
  const response = await page.goto(pathOf(screen, stage.scenario), { waitUntil: "networkidle" });
  await screen.act?.(page, stage.scenario, stage.db);
  const end = endOf(screen, stage.scenario);
  if (screen.endsOn) await page.waitForURL(({ pathname }) => pathname === end);
  await holdStill(page, screen);
  return response?.status() ?? 0;
}

export function openContext(browser: Browser, { url }: Stage): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: url,
    viewport: PHONE,
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-GB",
  });
}

/** The same page in another theme and width, without loading it again. */
export async function lookAt(page: Page, screen: Screen, { theme, text = 100, ...size }: Look) {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate((percent) => {
    document.documentElement.style.fontSize = percent === 100 ? "" : `${percent}%`;
  }, text);
  await holdStill(page, screen);
}

/** Signs in as the account of a screen. */
export async function enter(
  context: BrowserContext,
  stage: Stage,
  { as, before }: Pick<Screen, "as" | "before">,
) {
  if (!as) return;
  if (as !== "newcomer") return signInAs(context, stage, as);
  const { key, id } = await addNewcomer(stage.db);
  await before?.(stage.db, id);
  await signInAs(context, stage, key);
}

/** Ends all motion and keeps the toast: under the pointer it waits, as for a reader. */
async function holdStill(page: Page, { toast }: Screen) {
  if (toast) await toastOf(page, toast).hover();
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const isEndless = animation.effect?.getComputedTiming().endTime === Infinity;
      if (isEndless) animation.pause();
      else animation.finish();
    }
  });
}

export function toastOf(page: Page, text: string): Locator {
  const toasts = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  return toasts.filter({ hasText: text });
}
