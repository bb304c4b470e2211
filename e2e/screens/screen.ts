import type { Page } from "@playwright/test";
import type { Db } from "#app/platform/db.server.ts";
import type { BUYER, DEBTOR } from "./payments.ts";

/** A demo account, or "newcomer": a player of this screen's own, with 30 credits. */
type Account = "player" | "broke" | "admin" | "newcomer" | typeof BUYER | typeof DEBTOR;

/** One page in one state, as one account sees it; `Ids` names what its functions need of the scenario. */
export interface ScreenOf<Ids> {
  name: string;
  /** Without one a visitor. */
  as?: Account;
  path: string | ((scenario: Ids) => string);
  /** What has happened to a newcomer before. */
  before?: (db: Db, newcomerId: string) => Promise<void>;
  /** What is done on the page before it is looked at. */
  act?: (page: Page, scenario: Ids, db: Db) => Promise<void>;
  /** The page that it ends on, where its action leads to another one. */
  endsOn?: ScreenOf<Ids>["path"];
  /** What the toast says; it is held while the screen is looked at. */
  toast?: string;
  /** Only what is on the screen, where a dialog covers the page. */
  isCropped?: boolean;
}

export function pathOf<Ids>({ path }: Pick<ScreenOf<Ids>, "path">, scenario: Ids): string {
  return typeof path === "string" ? path : path(scenario);
}

/** The path that it ends on. */
export function endOf<Ids>({ path, endsOn = path }: ScreenOf<Ids>, scenario: Ids): string {
  return pathOf({ path: endsOn }, scenario).split("?", 1)[0]!;
}

/** Presses a button and waits until the page shows an error. */
export async function pressInVain(page: Page, name: string | RegExp) {
  await press(page, name);
  await page.getByRole("alert").first().waitFor();
}

export async function press(page: Page, name: string | RegExp) {
  await page.getByRole("button", { name, exact: true }).first().click();
}

/** Shows what a page has that was opened before the game was moved. */
export const showOldHour = (page: Page) => showFact(page, "start", "2026-01-01T17:00:00.000Z");

/** Shows what a page has that was opened when something else was true. */
export async function showFact(page: Page, name: string, value: string) {
  for (const shown of await page.locator("input[name=shown]").all()) {
    await shown.evaluate(
      (field, [fact = "", other = ""]) => {
        const facts = new URLSearchParams(field.getAttribute("value") ?? "");
        if (facts.has(fact)) facts.set(fact, other);
        field.setAttribute("value", facts.toString());
      },
      [name, value],
    );
  }
}

/** Presses a button whose request never arrives. */
export async function pressOffline(page: Page, name: string, requests: string) {
  await page.route(requests, (route) => route.abort());
  await pressInVain(page, name);
}

/** Presses a button whose request is never answered. */
export async function pressUnanswered(page: Page, name: string, requests: string) {
  await page.route(requests, () => {});
  await press(page, name);
}

/** Presses an entry of the navigation whose page never arrives; `loading` names its skeleton. */
export async function openUnanswered(page: Page, entry: string, loading: string) {
  await page.route("**/*.data*", () => {});
  const navigation = page.getByRole("navigation");
  await navigation.getByRole("link", { name: entry, exact: true }).first().click();
  await page.getByRole("status", { name: loading }).waitFor();
}

/** Drops the toast of what was done behind the page. */
export async function clearToast(page: Page) {
  await page.context().clearCookies({ name: /toast/ });
}
