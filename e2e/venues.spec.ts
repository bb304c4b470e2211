import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { DEMO_VENUES } from "../db/demo/venues.ts";
import { expect, type Page, test } from "./fixtures.ts";

const COUNT = DEMO_VENUES.length;
const IN_ESPOO = DEMO_VENUES.filter(({ venue }) => venue.city === "Espoo").length;

// spec: 2.93, 2.94, 2.95, 2.99
test("venues are found by city, and looked at by keyboard", async ({ page }) => {
  await page.goto("/venues");
  await expect(cards(page)).toHaveCount(COUNT);
  await searchCities(page);
  await openVenue(page);
  await lookAtPhotos(page);
  await page.goBack();
  await expect(page).toHaveURL(/\/venues\?city=Espoo$/);
  await expect(cards(page)).toHaveCount(IN_ESPOO);
});

/** The choice is in the address, is taken back by Clear, and comes back by Back. */
async function searchCities(page: Page) {
  const box = page.getByRole("combobox", { name: "City" });
  await box.click();
  await expect(page.getByRole("option")).toHaveText(["Espoo", "Helsinki", "Vantaa"]);
  await page.keyboard.type("zzz");
  await expect(page.getByText("No options found")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(box).toHaveValue("");
  await box.fill("van");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/venues\?city=Vantaa$/);
  await page.keyboard.type("ESP");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/venues\?city=Vantaa,Espoo$/);
  await expect(page.getByRole("option", { selected: true })).toHaveText(["Espoo", "Vantaa"]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);
  await page.keyboard.press("Backspace");
  await expect(page).toHaveURL(/\/venues\?city=Vantaa$/);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/venues$/);
  await expect(cards(page)).toHaveCount(COUNT);
  await page.goBack();
  await expect(page).toHaveURL(/\/venues\?city=Vantaa$/);
  await page.getByRole("button", { name: "Remove Vantaa" }).press("Enter");
  await expect(page.getByText("All cities")).toBeVisible();
  await expect(box).toBeFocused();
  await box.fill("espoo");
  await page.getByRole("option", { name: "Espoo" }).click();
  await expect(cards(page)).toHaveCount(IN_ESPOO);
  await page.keyboard.press("Escape");
}

async function openVenue(page: Page) {
  await page.getByRole("link", { name: "Tapiola Futsal Court" }).click();
  await expect(page).toHaveURL(/\/venues\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tapiola Futsal Court");
  const games = page.getByRole("region", { name: "Upcoming games" }).getByRole("link");
  await expect(games.first()).toHaveAttribute("href", /^\/events\/[0-9a-f-]{36}$/);
}

async function lookAtPhotos(page: Page) {
  const photo = page.getByRole("link", { name: /^View photo/ }).nth(1);
  await photo.focus();
  await page.keyboard.press("Enter");
  const lightbox = page.getByRole("dialog", { name: "Photos" });
  const slide = (place: number) => lightbox.getByRole("group", { name: `${place} of 3` });
  await expect(slide(2).getByRole("img")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(slide(3)).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(lightbox.getByRole("button").and(page.locator(":focus"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(lightbox).toBeHidden();
  await expect(photo).toBeFocused();
}

test("Venues leads back to the list as it was, past photos and games", async ({ page }) => {
  await page.goto("/venues?city=Espoo,Helsinki");
  await cards(page).last().scrollIntoViewIfNeeded();
  const scrolled = await scrolledBy(page);
  expect(scrolled).toBeGreaterThan(500);
  const name = await cards(page).last().getByRole("link").innerText();
  await cards(page).last().getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  const venue = page.url();
  await page.getByRole("region", { name: "Upcoming games" }).getByRole("link").first().click();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await expect(page).toHaveURL(venue);
  await page
    .getByRole("link", { name: /^View photo/ })
    .first()
    .click();
  await expect(lightbox(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(lightbox(page)).toBeHidden();
  await page.getByRole("main").getByRole("link", { name: "Venues" }).click();
  await expect(page).toHaveURL(/\/venues\?city=Espoo,Helsinki$/);
  await expect.poll(() => scrolledBy(page)).toBe(scrolled);
});

test("the way back closes a photo and no more, and a reload keeps it", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 400 });
  await page.goto("/venues");
  await page.getByRole("link", { name: "Töölö Cage" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Töölö Cage");
  const venue = page.url();
  const photo = page.getByRole("link", { name: /^View photo/ }).nth(1);
  await photo.focus();
  const scrolled = await scrolledBy(page);
  expect(scrolled).toBeGreaterThan(0);
  // Without a connection too.
  await page.route("**/*.data*", (route) => route.abort());
  await page.keyboard.press("Enter");
  await expect(lightbox(page)).toBeVisible();
  await page.goBack();
  await expect(lightbox(page)).toBeHidden();
  await expect(photo).toBeFocused();
  expect(page.url()).toBe(venue);
  expect(await scrolledBy(page)).toBe(scrolled);
  await page.goForward();
  await expect(lightbox(page)).toBeVisible();
  await page.goBack();
  await expect(photo).toBeFocused();
  await page.goForward();
  await page.unroute("**/*.data*");
  await page.reload();
  await expect(lightbox(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(lightbox(page)).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/\/venues$/);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the filter is a form, and a photo leads to its picture", async ({ page }) => {
    await page.goto("/venues");
    await page.getByText("Espoo", { exact: true }).first().click();
    await page.getByText("Vantaa", { exact: true }).first().click();
    await page.getByRole("button", { name: "Show venues" }).click();
    await expect(page).toHaveURL(/\/venues\?city=Espoo,Vantaa$/);
    await expect(page.getByRole("checkbox", { name: "Vantaa" })).toBeChecked();
    await page.getByRole("button", { name: "Clear" }).click();
    await expect(cards(page)).toHaveCount(COUNT);
    await page.getByRole("link", { name: "Tapiola Futsal Court" }).click();
    await page
      .getByRole("link", { name: /^View photo/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/photos\/tapiola-court-1-1280\.webp$/);
  });
});

// spec: 2.102, 8.40
test("a missing venue is a 404 that leads back", async ({ page }) => {
  for (const id of ["00000000-0000-4000-8000-000000000000", "not-an-id", "%F0%9F%98%80"]) {
    const response = await page.goto(`/venues/${id}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByText("Venue not found").last()).toBeVisible();
  }
  await page.getByRole("link", { name: "Back to Venues" }).click();
  await expect(page).toHaveURL(/\/venues$/);
});

// spec: 2.98
test("a city without venues is named", async ({ page }) => {
  await page.goto("/venues?city=Turku,Oulu");
  await expect(page.getByText("No venues found in Turku and Oulu.")).toBeVisible();
  await page.getByRole("button", { name: "Remove Turku" }).click();
  await expect(page.getByText("No venues found in Oulu.")).toBeVisible();
});

// spec: 2.62, 2.101
test("the game page and the navigation lead to the venues", async ({ page, signIn }) => {
  await signIn("player");
  await page.goto("/events");
  await page.getByRole("navigation").getByRole("link", { name: "Venues" }).click();
  await expect(cards(page)).toHaveCount(COUNT);
  await page.getByRole("link", { name: "Töölö Cage" }).click();
  const games = page.getByRole("region", { name: "Upcoming games" });
  await games.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/events\//);
  await page.getByRole("heading", { level: 1 }).getByRole("link").click();
  await expect(page).toHaveURL(/\/venues\//);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Töölö Cage");
});

test("combobox and lightbox come when they are wanted, within their budgets", async ({ page }) => {
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(path.basename(request.url())));
  await page.goto("/venues");
  const has = (name: string) => loaded.some((file) => file.startsWith(`${name}-`));
  await expect.poll(() => has("city-combobox")).toBe(true);
  expect(has("lightbox")).toBe(false);
  await page.getByRole("link", { name: "Töölö Cage" }).click();
  await page
    .getByRole("link", { name: /^View photo/ })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: "Photos" })).toBeVisible();
  expect(has("lightbox")).toBe(true);
  expect(sizeOf("city-combobox")).toBeLessThanOrEqual(48 * 1024);
  expect(sizeOf("lightbox")).toBeLessThanOrEqual(14 * 1024);
});

function lightbox(page: Page) {
  return page.getByRole("dialog", { name: "Photos" });
}

function scrolledBy(page: Page): Promise<number> {
  return page.evaluate(() => window.scrollY);
}

function cards(page: Page) {
  return page.getByRole("list", { name: "Venues" }).getByRole("article");
}

/** Bytes of that file as it is sent. */
function sizeOf(name: string): number {
  const folder = path.join(projectRoot, "build", "client", "assets");
  const files = readdirSync(folder).filter(
    (file) => file.startsWith(`${name}-`) && file.endsWith(".js.br"),
  );
  expect(files).toHaveLength(1);
  return readFileSync(path.join(folder, files[0]!)).length;
}
