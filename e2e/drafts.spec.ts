import type { Page } from "@playwright/test";
import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { addVenue } from "../db/insert.ts";
import { expect, test } from "./fixtures.ts";
import { wallClock } from "#app/platform/clock.ts";
import { addPlayer } from "./players.ts";

// Hidden, so that other tests do not count them.
const VENUE = { city: "Espoo", address: "Otakaari 1", is_hidden: true };
const TITLE = "Tuesday under the lights";
const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
const title = (page: Page) => page.getByLabel("Title");
const restored = (page: Page) => page.getByText(/^Draft from \d\d:\d\d restored\./);

/** Types as a person does: only then does a browser ask before a reload. */
async function typeTitle(page: Page, text = TITLE) {
  await title(page).click();
  await title(page).fill("");
  await title(page).pressSequentially(text);
}

test("leaving a changed form asks: by a tab, the bottom bar and Back", async ({ page, signIn }) => {
  await signIn("admin");
  await page.goto("/admin/games");
  await page.getByRole("link", { name: "New game" }).click();
  await expect(page).toHaveURL("/admin/games/new");
  await typeTitle(page);
  const ways = [
    () => page.getByRole("link", { name: "Venues" }).first().click(),
    () => page.getByRole("link", { name: "My Games" }).last().click(),
    () => page.goBack({ waitUntil: "commit" }).catch(() => {}),
  ];
  for (const leave of ways) {
    await leave();
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    await expect(page.locator("#unsaved-changes")).toHaveCount(0);
    await expect(page).toHaveURL("/admin/games/new");
    await expect(title(page)).toHaveValue(TITLE);
  }
  await page.getByRole("link", { name: "My Games" }).last().click();
  await question(page).getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "NEXT GAMES" })).toBeVisible();
  await page.goBack();
  await expect(restored(page)).toBeVisible();
  await expect(title(page)).toHaveValue(TITLE);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(restored(page)).toBeHidden();
  await expect(title(page)).not.toHaveValue(TITLE);
  await page.getByRole("link", { name: "My Games" }).last().click();
  await expect(page).toHaveURL("/bookings");
});

test("a reload asks and brings the draft back; saving ends it", async ({
  page,
  signIn,
  database,
}) => {
  await signIn("admin");
  const venueId = await addVenue(database.db, { ...VENUE, name: "Reload Hall" });
  await page.goto(`/admin/venues/${venueId}`);
  const description = page.getByLabel("Description");
  const asked: string[] = [];
  page.on("dialog", async (dialog) => {
    asked.push(dialog.type());
    await dialog.accept();
  });
  await description.click();
  await page.reload();
  expect(asked).toEqual([]);
  await description.click();
  await description.pressSequentially("Two pitches.");
  await page.reload();
  expect(asked).toEqual(["beforeunload"]);
  await expect(restored(page)).toBeVisible();
  await expect(description).toHaveValue("Two pitches.");
  await page.getByLabel("Name").fill("");
  await page.getByRole("button", { name: "Save venue" }).click();
  await expect(page.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  expect(await drafts(page)).toHaveLength(1);
  await page.getByLabel("Name").fill("Reload Hall");
  await page.getByRole("button", { name: "Save venue" }).click();
  await expect(restored(page)).toBeHidden();
  await expect.poll(() => drafts(page)).toEqual([]);
  await page.reload();
  await expect(description).toHaveValue("Two pitches.");
  await expect(restored(page)).toBeHidden();
  await page.getByRole("link", { name: "Partners" }).click();
  await expect(page).toHaveURL("/admin/partners");
  expect(asked).toEqual(["beforeunload"]);
});

const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kept draft ")));

test.describe("in Tokyo", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("a draft says when it was typed by Helsinki's clock, as the games do", async ({
    page,
    signIn,
  }) => {
    await signIn("admin");
    await page.goto("/admin/games/new");
    const before = new Date();
    await title(page).fill(TITLE);
    await expect.poll(() => drafts(page)).toHaveLength(1);
    const times = [before, new Date()].map((instant) => wallClock(instant).time.slice(0, 5));
    page.on("dialog", (dialog) => dialog.accept());
    await page.reload();
    await expect(restored(page)).toHaveText(
      new RegExp(`^Draft from (${times.join("|")}) restored`),
    );
  });
});

test("a draft of an older version meets the newer one", async ({
  context,
  page,
  signIn,
  database,
}) => {
  await signIn("admin");
  const venueId = await addVenue(database.db, { ...VENUE, name: "Draft Hall" });
  const path = `/admin/venues/${venueId}`;
  await page.goto(path);
  await page.getByLabel("Name").fill("Draft Hall West");
  await expect.poll(() => drafts(page)).toHaveLength(1);

  // Another tab has the same draft, until it is saved here or there.
  const other = await context.newPage();
  await other.goto(path);
  await expect(other.getByLabel("Name")).toHaveValue("Draft Hall West");
  await other.getByLabel("Name").fill("Draft Hall East");
  await other.getByRole("button", { name: "Save venue" }).click();
  await expect(other.getByRole("heading", { name: "Draft Hall East" })).toBeVisible();
  await expect.poll(() => drafts(page)).toEqual([]);

  await page.getByLabel("Address").fill("Gate 2");
  await expect.poll(() => drafts(page)).toHaveLength(1);
  await page.reload();
  await expect(page.getByText("Somebody else has saved a change since")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Draft Hall West");
  await page.getByRole("button", { name: "Save venue" }).click();
  const conflict = page.getByRole("group", { name: "Conflict" });
  await expect(conflict).toContainText("Draft Hall East");
  await page.getByRole("button", { name: "Save venue" }).click();
  await expect(page.getByRole("heading", { name: "Draft Hall West" })).toBeVisible();
  await expect.poll(() => drafts(page)).toEqual([]);
});

test("a form whose answer was lost is restored with its key: sent again it counts once", async ({
  page,
  signIn,
  database,
}) => {
  const { userId } = await addPlayer(database.db);
  await signIn("admin");
  await page.goto(`/admin/players/${userId}`);
  const correct = page.getByRole("button", { name: "Correct the balance" });
  await page.getByLabel("Credits").fill("7");
  await page.getByLabel("Reason").first().fill("Lost answer");
  let isLost = false;
  await page.route("**/*.data*", async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort();
  });
  const lost = page.waitForEvent("requestfailed", (request) => request.method() === "POST");
  await correct.click();
  await lost;
  isLost = true;
  const entries = () =>
    database.db
      .selectFrom("wallet_transactions")
      .select("amount_eur")
      .where("user_id", "=", userId)
      .execute();
  expect(await entries()).toHaveLength(1);
  await page.goto("/admin/log");
  await page.goto(`/admin/players/${userId}`);
  await expect(restored(page)).toBeVisible();
  await correct.click();
  await expect(restored(page)).toBeHidden();
  expect(await entries()).toHaveLength(1);
});

test("a draft waits for its account, is shown to no other, and ends with signing out", async ({
  page,
  signIn,
  database,
  context,
}) => {
  const path = "/settings/contact-support";
  const message = page.getByLabel("Message");
  await signIn("player");
  await page.goto(path);
  await message.fill("The gate was locked.");
  await expect.poll(() => drafts(page)).toHaveLength(1);
  const { who } = await addPlayer(database.db);
  for (const [email, text] of [
    [`${who}@uni.example`, ""],
    ["player@uni.example", "The gate was locked."],
  ] as const) {
    await context.clearCookies({ name: "kickabout_session" });
    await page.goto(`/auth?tab=sign-in&redirectTo=${path}`);
    await page.getByLabel("email", { exact: true }).fill(email);
    await page.getByLabel("password", { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page).toHaveURL(path);
    await expect(message).toHaveValue(text);
    expect(await drafts(page)).toHaveLength(1);
  }
  await page.goto("/settings");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/");
  await expect.poll(() => drafts(page)).toEqual([]);
});

test("saving after the session has ended loses nothing", async ({ page, signIn, database }) => {
  const path = "/settings/contact-support";
  const { who, userId } = await addPlayer(database.db);
  await signIn(who);
  await page.goto(path);
  await page.getByLabel("Subject").fill("Gate");
  await page.getByLabel("Message").fill("It was locked.");
  await database.db.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page).toHaveURL("/");
  await signIn(who);
  await page.goto(path);
  await expect(restored(page)).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("It was locked.");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByText("Thanks for writing.")).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("");
  await expect.poll(() => drafts(page)).toEqual([]);
});

test("a closed profile dialog gives up what was typed, a reload does not", async ({
  page,
  signIn,
}) => {
  await signIn("player");
  await page.goto("/profile");
  const dialog = page.getByRole("dialog", { name: "Edit profile" });
  const name = dialog.getByLabel("First Name");
  const open = () => page.getByRole("button", { name: "Edit profile" }).click();
  await open();
  const before = await name.inputValue();
  await name.fill("Somebody");
  await expect.poll(() => drafts(page)).toHaveLength(1);
  await page.reload();
  await expect(dialog).toBeHidden();
  await open();
  await expect(restored(page)).toBeVisible();
  await expect(name).toHaveValue("Somebody");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect.poll(() => drafts(page)).toEqual([]);
  await open();
  await expect(name).toHaveValue(before);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Venues" }).last().click();
  await expect(page).toHaveURL("/venues");
});

test("without storage a changed form still asks", async ({ page, signIn }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await signIn("player");
  await page.goto("/settings/leave-review");
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page).toHaveURL("/settings");
  await page.goBack();
  await page.getByLabel("Comment").fill("Good lights.");
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(question(page)).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("nothing is asked, and nothing restored", async ({ page, signIn }) => {
    await signIn("player");
    await page.goto("/settings/contact-support");
    await page.getByLabel("Message").fill("The gate was locked.");
    await page.goto("/settings");
    await page.goto("/settings/contact-support");
    await expect(page.getByLabel("Message")).toHaveValue("");
    await expect(page.getByText("Leave without saving?")).toHaveCount(0);
  });
});
