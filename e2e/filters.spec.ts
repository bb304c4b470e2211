import { UPCOMING } from "../db/demo/schedule.ts";
import { expect, type Page, test } from "./fixtures.ts";

// Other specs may have published games of their own on the same site.
const LEAST = UPCOMING.filter(({ status }) => !status).length;
const TIMES = ["Morning", "Afternoon", "Evening"];
const LEVELS = ["All levels", "Relaxed", "Competitive"];
const CITIES = ["Helsinki", "Espoo", "Vantaa"];

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Location" });
const box = (page: Page, name: string) =>
  dialogOf(page).getByRole("checkbox", { name, exact: true });
const cards = (page: Page) => page.getByRole("main").getByRole("listitem");
const expectAllGames = (page: Page) =>
  expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(LEAST);
const open = (page: Page) => page.getByRole("button", { name: /^Filters/ }).click();

test.beforeEach(async ({ page, signIn }) => {
  await signIn("player");
  await page.goto("/events");
  await expectAllGames(page);
});

// spec: 4.14
test("a choice is a draft until it is applied, and gone when the dialog closes", async ({
  page,
}) => {
  await open(page);
  await box(page, "Outdoor").check();
  await box(page, "Vantaa").check();
  await expect(page).toHaveURL(/\/events$/);
  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toBeHidden();
  await expectAllGames(page);
  await open(page);
  await expect(box(page, "Outdoor")).not.toBeChecked();
  await expect(box(page, "Vantaa")).not.toBeChecked();
});

// spec: 2.58, 4.16
test("Clear Selection resets the draft, and Apply Selection makes it hold", async ({ page }) => {
  await page.goto("/events?time=Evening&level=Relaxed&outdoor=1&indoor=1&city=Espoo");
  await open(page);
  await expect(box(page, "Evening")).toBeChecked();
  await expect(box(page, "Espoo")).toBeChecked();
  await dialogOf(page).getByRole("button", { name: "Clear Selection", exact: true }).click();
  for (const name of ["Outdoor", "Indoor", "Select All", ...CITIES, ...TIMES, ...LEVELS]) {
    await expect(box(page, name)).not.toBeChecked();
  }
  await expect(page).toHaveURL(/city=Espoo$/);
  await dialogOf(page).getByRole("button", { name: "Apply Selection", exact: true }).click();
  await expect(dialogOf(page)).toBeHidden();
  await expect(page).toHaveURL(/\/events\??$/);
  await expectAllGames(page);
});

// spec: 2.57
test("Select All ticks every city, and follows them", async ({ page }) => {
  await open(page);
  await box(page, "Select All").check();
  for (const city of CITIES) await expect(box(page, city)).toBeChecked();
  await box(page, "Espoo").uncheck();
  await expect(box(page, "Select All")).not.toBeChecked();
  await box(page, "Espoo").check();
  await expect(box(page, "Select All")).toBeChecked();
  await box(page, "Select All").uncheck();
  for (const city of CITIES) await expect(box(page, city)).not.toBeChecked();
});

test("a day of the strip leads to its games, again and again", async ({ page }) => {
  const days = page.getByRole("navigation", { name: "Days" }).getByRole("link");
  const heading = (n: number) => page.getByRole("heading", { level: 2 }).nth(n);
  for (const n of [3, 6, 1, 4]) {
    await days.nth(n).click();
    const bar = await page.locator(".day-strip").boundingBox();
    await expect(heading(n)).toBeInViewport();
    const { y } = (await heading(n).boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(bar!.y + bar!.height);
    expect(y).toBeLessThan(bar!.y + bar!.height + 60);
  }
});
