import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { stripes } from "#test/pictures.ts";
import { enter, tabTo } from "./keyboard.ts";
import { joinedDialog } from "./joined.ts";
import { expect, type Page, test, whenStarted } from "./fixtures.ts";
import { addChampion } from "./players.ts";
import { isLong } from "#test/long.ts";

// Short runs leave these ways to the tests of their pages: venues.spec.ts and profile.spec.ts.

test("all that a player does is done by keyboard alone", async ({ page, database, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  const who = await addChampion(database.db);
  await test.step("sign in", () => signIn(page, who));
  await test.step("filter the games", () => filterGames(page));
  await test.step("join a game", () => joinGame(page));
  await test.step("cancel it", () => cancelBooking(page));
  if (isLong) await test.step("search venues by city", () => searchCities(page));
  if (isLong) await test.step("look at a venue's photos", () => lookAtPhotos(page));
  await test.step("open the profile", () => openProfile(page));
  if (isLong) await test.step("edit the profile", () => editProfile(page));
  if (isLong) await test.step("place a picture", () => placePicture(page));
  await test.step("claim the reward", () => claimReward(page));
  await test.step("share the card", () => shareCard(page));
  await test.step("choose a plan", () => choosePlan(page));
  await test.step("try another password", () => changePassword(page));
  await test.step("sign out", () => signOut(page));
});

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });
const link = (page: Page, name: string | RegExp) =>
  page.getByRole("link", { name, exact: typeof name === "string" });

async function signIn(page: Page, who: string) {
  await page.goto("/");
  await enter(page, link(page, "Skip to content"));
  await enter(page, link(page, "Sign in"));
  await page.waitForURL(/\/auth$/);
  // The link may have loaded the page; a form sent before its scripts start does so again.
  await whenStarted(page);
  await tabTo(page, page.getByRole("textbox", { name: "email", exact: true }));
  await page.keyboard.type(`${who}@uni.example`);
  await tabTo(page, page.getByRole("textbox", { name: "password", exact: true }));
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await arrive(page, /\/events$/, "Hi Kirsi");
}

/** On the page, with the focus on its heading. */
async function arrive(page: Page, address: RegExp, heading: string) {
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("heading", { level: 1, name: heading, exact: true })).toBeFocused();
}

async function filterGames(page: Page) {
  const filters = button(page, /^Filters/);
  const dialog = page.getByRole("dialog", { name: "Location" });
  await enter(page, filters);
  await tabTo(page, page.getByRole("checkbox", { name: "Outdoor" }));
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(filters).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("checkbox", { name: "Outdoor" })).not.toBeChecked();
  for (const name of ["Indoor", "Espoo"]) {
    await tabTo(page, page.getByRole("checkbox", { name }));
    await page.keyboard.press("Space");
  }
  await enter(page, button(page, "Apply Selection"));
  await expect(page).toHaveURL(/indoor=1&city=Espoo/);
  await expect(dialog).toBeHidden();
  await expect(filters).toBeFocused();
}

async function joinGame(page: Page) {
  await enter(page, link(page, /Tapiola Futsal Court.*10 credits.*[4-9] spots left/));
  await arrive(page, /\/events\/[\w-]{36}$/, "Tapiola Futsal Court");
  await enter(page, button(page, "Join game"));
  await enter(page, joinedDialog(page).getByRole("link", { name: "Done" }));
  const bar = page.locator("#join");
  await expect(bar).toContainText("You're attending this game!");
  await expect(bar).toBeFocused();
}

async function cancelBooking(page: Page) {
  await enter(page, page.getByRole("banner").getByRole("link", { name: "Back", exact: true }));
  await arrive(page, /\/events\?/, "Hi Kirsi");
  // After a step back the heading has no ring.
  await page.keyboard.press("Tab");
  await enter(page, page.getByRole("navigation").getByRole("link", { name: "My Games" }));
  await arrive(page, /\/bookings$/, "Hi Kirsi");
  const trigger = button(page, /^Cancel Tapiola/);
  const dialog = page.getByRole("dialog", { name: "Cancel this booking?" });
  await tabTo(page, trigger);
  await page.keyboard.press("Space");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(trigger).toBeFocused();
  await page.keyboard.press("Enter");
  await enter(page, dialog.getByRole("button", { name: "Cancel booking" }));
  await expect(page.getByText("You are not attending any game yet.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "NEXT GAMES" })).toBeFocused();
}

async function searchCities(page: Page) {
  await enter(page, link(page, "Venues"));
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  const box = page.getByRole("combobox", { name: "City" });
  // Focus in the plain form before the box has loaded keeps the form.
  await expect(box).toBeVisible();
  await tabTo(page, box);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option")).toHaveCount(3);
  await page.keyboard.type("esp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?city=Espoo$/);
  await page.keyboard.press("Escape");
  await enter(page, button(page, "Remove Espoo"));
  await expect(box).toBeFocused();
  // Nobody types as fast as this does: the list without Espoo comes first.
  await expect(page).toHaveURL(/\/venues$/);
  await page.keyboard.type("van");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?city=Vantaa$/);
  await page.keyboard.press("Escape");
  await enter(page, button(page, "Clear"));
  await expect(page).toHaveURL(/\/venues$/);
  // Until then the list of one city is shown: what comes in above it would push the focus away.
  await expect(link(page, "Tapiola Futsal Court")).toBeVisible();
}

async function lookAtPhotos(page: Page) {
  await enter(page, link(page, "Tapiola Futsal Court"));
  await arrive(page, /\/venues\/[\w-]{36}$/, "Tapiola Futsal Court");
  await enter(page, link(page, /^View photo/));
  const photo = link(page, /^View photo/).first();
  const photos = page.getByRole("dialog", { name: "Photos" });
  await expect(photos.getByRole("group", { name: "1 of 3" })).toBeVisible();
  for (const place of ["2 of 3", "3 of 3"]) {
    await page.keyboard.press("ArrowRight");
    await expect(photos.getByRole("group", { name: place })).toBeVisible();
  }
  await tabTo(page, photos.getByRole("button", { name: "Close" }));
  await page.keyboard.press("Escape");
  await expect(photos).toBeHidden();
  await expect(photo).toBeFocused();
}

async function openProfile(page: Page) {
  await enter(page, link(page, "Profile"));
  await arrive(page, /\/profile$/, "Kirsi Example");
}

async function editProfile(page: Page) {
  const trigger = button(page, "Edit profile");
  const dialog = page.getByRole("dialog", { name: "Edit profile" });
  await enter(page, trigger);
  await tabTo(page, dialog.getByLabel("Position"));
  await page.keyboard.type("FWD");
  await tabTo(page, page.getByPlaceholder("Search countries"));
  await page.keyboard.type("swe");
  const countries = page.getByRole("listbox", { name: "Countries" });
  await expect(countries.getByRole("option")).toHaveText(["Sweden"]);
  await page.keyboard.press("Enter");
  await enter(page, button(page, "Save changes"));
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Sweden", { exact: true }).first()).toBeVisible();
  await expect(trigger).toBeFocused();
}

async function placePicture(page: Page) {
  await enter(page, button(page, "Change picture"));
  // Asked for before the way there: the browser has to know of it when the key is pressed.
  const choosing = page.waitForEvent("filechooser");
  await enter(page, page.getByLabel("Choose a picture"));
  const chooser = await choosing;
  const buffer = await stripes(600, 200).jpeg().toBuffer();
  await chooser.setFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer });
  await tabTo(page, page.getByRole("group", { name: /arrow keys/ }));
  await page.keyboard.press("ArrowRight");
  await tabTo(page, page.getByRole("slider", { name: "Zoom" }));
  await page.keyboard.press("ArrowRight");
  await enter(page, button(page, "Save picture"));
  await expect(page.getByRole("main").locator('img[src^="/files/"]').first()).toBeVisible();
  await expect(button(page, "Change picture")).toBeFocused();
}

async function claimReward(page: Page) {
  await enter(page, button(page, "Claim 10 Credits!"));
  const said = page.getByRole("main").getByText(/^Reward claimed/);
  await expect(said).toBeVisible();
  await expect(said).toBeFocused();
}

async function shareCard(page: Page) {
  await enter(page, link(page, "MY PLAYER CARD"));
  await arrive(page, /\/profile\/player-card$/, "My player card");
  await enter(page, button(page, "Share"));
  await expect(page.getByLabel("Notifications")).toContainText("Link copied!");
  const sharing = page.getByRole("region", { name: "Sharing" });
  await expect(sharing).toBeFocused();
  await tabTo(page, page.getByLabel("Link to your card"));
  await enter(page, button(page, "Stop sharing"));
  await expect(button(page, "Share")).toBeVisible();
  await expect(sharing).toBeFocused();
}

async function choosePlan(page: Page) {
  await enter(page, page.getByRole("banner").locator('a[href="/wallet"]'));
  await arrive(page, /\/wallet$/, "Wallet");
  const buy = button(page, "Buy credits");
  await enter(page, buy);
  await expect(page.getByRole("dialog", { name: "Choose Your Plan" })).toBeVisible();
  await tabTo(page, page.getByRole("tab", { name: "Pay Per Game" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Monthly Subscription" })).toBeFocused();
  await tabTo(page, page.getByRole("radio", { name: /8\.50€ per game/ }));
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /8\.00€ per game/ })).toBeChecked();
  await tabTo(page, button(page, "START PLAYING"));
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(buy).toBeFocused();
}

async function changePassword(page: Page) {
  await enter(page, link(page, "Profile"));
  await arrive(page, /\/profile$/, "Kirsi Example");
  await enter(page, link(page, "Settings"));
  await arrive(page, /\/settings$/, "Settings");
  await enter(page, link(page, "Change Password"));
  await arrive(page, /change-password$/, "Change Password");
  await enter(page, button(page, "Update password"));
  await expect(page.getByRole("main").getByRole("alert")).toBeFocused();
  await enter(page, link(page, "Current password is required"));
  await expect(page.getByLabel("Current password", { exact: true })).toBeFocused();
}

async function signOut(page: Page) {
  await enter(page, page.getByRole("main").getByRole("link", { name: "Settings" }));
  await arrive(page, /\/settings$/, "Settings");
  await enter(page, button(page, "Logout"));
  // A new document: the keyboard begins at its top.
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByText("You have been successfully logged out.")).toBeVisible();
  await enter(page, link(page, "Skip to content"));
}
