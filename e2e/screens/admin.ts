import type { Page } from "@playwright/test";
import { press, pressInVain } from "./screen.ts";
import type { Screen } from "./scenario.ts";

const PAYMENTS = "/admin/payments";

/** Admin's overview and payments, and what others see of them. */
export const ADMIN_SCREENS: Screen[] = [
  { name: "payments", as: "admin", path: PAYMENTS },
  { name: "payments-errors", as: "admin", path: PAYMENTS, act: assignToNobody },
  {
    name: "payments-unmatched",
    as: "admin",
    path: PAYMENTS,
    act: retry,
  },
  { name: "payments-set-aside", as: "admin", path: PAYMENTS, act: openSetAside, isCropped: true },
  { name: "admin-not-found", as: "admin", path: "/admin/nowhere" },
  { name: "access-denied", as: "player", path: PAYMENTS },
];

async function assignToNobody(page: Page) {
  await page.getByLabel("Player's email").first().fill("nobody@uni.example");
  await pressInVain(page, /^(Give the credits|It belongs to this player)$/);
}

async function retry(page: Page) {
  await pressInVain(page, "Try again");
}

async function openSetAside(page: Page) {
  await press(page, "Set aside");
  await page.getByRole("dialog").waitFor();
}

export const OVERVIEW_SCREENS: Screen[] = [
  { name: "overview", as: "admin", path: "/admin", act: seeCharts },
  { name: "overview-shortcuts", as: "admin", path: "/admin", act: seeShortcuts },
  overviewScreen("overview-nothing-due", "Nothing is due.", toNothing),
  overviewScreen(
    "overview-not-counted",
    "What is to be done could not be counted now.",
    () => null,
  ),
  { name: "overview-numbers", as: "admin", path: "/admin?weeks=4", act: openNumbers },
];

/** The overview with another list of what is due: `text` says that it is there. */
function overviewScreen(name: string, text: string, change: (data: unknown[]) => null | number) {
  const act = async (page: Page) => {
    await page.route("**/admin.data*", async (route) => {
      const response = await route.fetch();
      const [first = "", ...rest] = (await response.text()).split("\n");
      const data = JSON.parse(first) as unknown[];
      const [key, venues, open] = ["toDo", "venues", "open"].map(
        (name) => `_${data.indexOf(name)}`,
      ) as [string, string, string];
      const place = change(data) ?? NULL;
      for (const object of data.filter(isObject)) {
        if (!(key in object)) continue;
        // The layout has it too: its numbers beside the tabs, which are not there in either case.
        if (venues in object) object[key] = place;
        else Object.assign(object, { [key]: NULL, [open]: NULL });
      }
      await route.fulfill({ response, body: [JSON.stringify(data), ...rest].join("\n") });
    });
    await page
      .getByRole("navigation", { name: "Admin" })
      .getByRole("link", { name: "Overview" })
      .click();
    await page.getByText(text).waitFor();
    await seeCharts(page);
    await page.evaluate(() => scrollTo(0, 0));
  };
  return { name, as: "admin", path: "/admin/log", act, endsOn: "/admin" } as const;
}

// Data of a page is a list in which objects name the places of their keys and values.
const NULL = -5;
const isObject = (value: unknown): value is Record<string, number> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function toNothing(data: unknown[]): number {
  const placeOf = (value: unknown) => data.push(value) - 1;
  const list = { count: placeOf(0), countText: placeOf("0"), entries: placeOf([]), games: NULL };
  const keys = Object.entries(list).map(([key, place]) => [`_${placeOf(key)}`, place]);
  return placeOf(Object.fromEntries(keys));
}

async function seeCharts(page: Page) {
  await page.getByRole("img", { name: "Games and fill rate by week, as bars" }).waitFor();
}

async function seeShortcuts(page: Page) {
  const shortcuts = page.getByRole("heading", { name: "New game" });
  await shortcuts.evaluate((heading) => heading.scrollIntoView({ block: "center" }));
}

async function openNumbers(page: Page) {
  await seeCharts(page);
  await page.getByText("Numbers by week, Games and fill rate").click();
}
