import type { Locator } from "@playwright/test";
import { addVenue } from "../db/insert.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { stripes } from "#test/pictures.ts";
import { expect, type Page, test } from "./fixtures.ts";

test("an organiser describes a venue and arranges its photos", async ({
  page,
  signIn,
  database,
}) => {
  const id = await aHiddenVenue(database, "Petikko Hall");
  await signIn("admin");
  await findVenue(page, "Petikko Hall");
  await describe(page);
  await addPhotos(page);
  await moveByKeyboard(page);
  await arrange(page);
  await page.goto(`/venues/${id}`);
  await expect(page.getByText("only organisers see this page")).toBeVisible();
  await expect.poll(() => isShown(page.getByRole("img", { name: "The bench" }))).toBe(true);
  await page.context().clearCookies();
  expect((await page.goto(`/venues/${id}`))?.status()).toBe(404);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("all of it works as plain forms", async ({ page, signIn, database }) => {
    await aHiddenVenue(database, "Mankkaa Field");
    await signIn("admin");
    await page.goto("/admin/venues/new");
    await page.getByRole("button", { name: "Add venue" }).click();
    await expect(page.getByRole("alert")).toContainText("Name is required");
    await findVenue(page, "Mankkaa Field");
    await describe(page);
    await addPhotos(page);
    await arrange(page);
  });
});

/** Hidden, so that the venues of the other tests stay as many as they are. */
function aHiddenVenue({ db }: Connection, name: string): Promise<string> {
  return addVenue(db, { name, city: "Kauniainen", is_hidden: true });
}

async function findVenue(page: Page, name: string) {
  await page.goto("/admin/venues");
  await page.getByLabel("Name or city").fill(name.toLowerCase());
  await page.getByRole("button", { name: "Search" }).click();
  const venue = page.getByRole("main").getByRole("listitem");
  await expect(venue).toHaveCount(1);
  await expect(venue).toContainText("Hidden");
  await venue.getByRole("link", { name }).click();
}

async function describe(page: Page) {
  await page.getByLabel("Address").fill("Vanha Turuntie 1");
  await page.getByRole("button", { name: "Save venue" }).click();
  await expect(page.getByText("Venue saved")).toBeVisible();
  await page.getByRole("link", { name: "Add photos" }).click();
}

async function addPhotos(page: Page) {
  const file = async (name: string, width: number) => ({
    name,
    mimeType: "image/jpeg",
    buffer: await stripes(width, 360).jpeg().toBuffer(),
  });
  const words = { name: "words.jpg", mimeType: "image/jpeg", buffer: Buffer.from("hello") };
  await page
    .getByLabel("Choose photos")
    .setInputFiles([await file("goal.jpg", 640), words, await file("bench.jpg", 700)]);
  await page.getByRole("button", { name: "Add photos" }).click();
  await expect(page.getByRole("alert")).toContainText("2 photos added, 1 not");
  await expect(page.getByRole("alert")).toContainText("“words.jpg” is not a JPG or PNG picture.");
  await expect(items(page)).toHaveCount(2);
}

/** Up to the first place and down again: the pressed button keeps the focus at either end. */
async function moveByKeyboard(page: Page) {
  const first = await items(page).first().getByRole("img").getAttribute("src");
  for (const [way, from, to] of [
    ["up", 2, 1],
    ["down", 1, 2],
  ]) {
    await page.getByRole("button", { name: `Move ${way} photo ${from}` }).press("Enter");
    const pressed = page.getByRole("button", { name: `Move ${way} photo ${to}` });
    await expect(pressed).toHaveAttribute("aria-disabled", "true");
    await expect(pressed).toBeFocused();
    await pressed.press("Enter");
    await expect(pressed).toBeFocused();
  }
  await expect(items(page).first().getByRole("img")).toHaveAttribute("src", first ?? "");
}

/** What is typed is saved by whichever button; a photo is removed once that was confirmed. */
async function arrange(page: Page) {
  await page.getByLabel("Description of photo 1").fill("The goal");
  await page.getByLabel("Description of photo 2").fill("The bench");
  await page.getByRole("button", { name: "Move up photo 2" }).click();
  await expect(page.getByLabel("Description of photo 1")).toHaveValue("The bench");
  await expect(page.getByLabel("Description of photo 2")).toHaveValue("The goal");
  await expect.poll(() => isShown(items(page).first().getByRole("img"))).toBe(true);
  await page.getByRole("button", { name: "Remove photo 2" }).click();
  await page.getByRole("button", { name: "Remove photo", exact: true }).click();
  await expect(items(page)).toHaveCount(1);
}

const items = (page: Page) =>
  page.getByRole("group", { name: "Photos" }).locator("ol").getByRole("listitem");

function isShown(picture: Locator): Promise<boolean> {
  return picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);
}
