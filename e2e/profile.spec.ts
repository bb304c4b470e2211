import sharp from "sharp";
import { stripes } from "#test/pictures.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { addPlayer, playFive } from "./players.ts";

const main = (page: Page) => page.getByRole("main");
const notice = (page: Page) => page.getByLabel("Notifications");

for (const javaScriptEnabled of WITH_SCRIPTS) {
  const people = javaScriptEnabled
    ? { editor: "lumi.kallio", champion: "jonas.ek" }
    : { editor: "ella.saarinen", champion: "hugo.wikstrom" };

  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    // spec: 2.115, 8.27
    test("a profile is edited", async ({ page, signIn }) => {
      await signIn(people.editor);
      await page.goto("/profile");
      await page.getByRole("button", { name: "Edit profile" }).click();
      const dialog = page.getByRole("dialog", { name: "Edit profile" });
      await dialog.getByLabel("First Name *").fill("R2D2");
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await expect(dialog.getByRole("alert")).toContainText("Failed to update profile.");
      await expect(dialog.getByRole("alert")).toContainText("First name can only contain letters");
      // At once: a while later every toast is gone.
      expect(await dialog.getByText("Failed to update profile.").count()).toBe(1);
      await dialog.getByLabel("First Name *").fill("Zoë");
      await dialog.getByLabel("Birthday *").fill("2001-02-03");
      await dialog.getByLabel("Position").selectOption("FWD");
      if (javaScriptEnabled) await searchCountry(page, "cote", "Côte d'Ivoire");
      else await dialog.getByLabel("Nationality").selectOption("Côte d'Ivoire");
      await dialog.getByRole("checkbox", { name: "Tennis" }).check();
      await dialog.getByRole("checkbox", { name: "Other" }).check();
      await dialog.getByLabel("Which other sport?").fill("Padel");
      await dialog.getByRole("checkbox", { name: "Down to play" }).check();
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await expect(notice(page)).toContainText("Your profile has been successfully updated.");
      await expect(dialog).toBeHidden();
      await expect(main(page).getByRole("heading", { level: 1 })).toContainText("Zoë");
      const shown = ["FWD", "Côte d'Ivoire", "Tennis", "Padel", "Down to play"];
      for (const text of shown) {
        const written = main(page).getByText(text, { exact: true });
        await expect(written.filter({ visible: true }).first()).toBeVisible();
      }
    });

    // spec: 4.31, 8.29
    test("five games earn ten credits, once", async ({ page, signIn, database }) => {
      await playFive(database.db, people.champion);
      await signIn(people.champion);
      await page.goto("/profile");
      await page.getByRole("button", { name: "Claim 10 Credits!" }).click();
      await expect(notice(page)).toContainText("€10 has been added to your wallet!");
      await expect(main(page).getByText(/^Reward claimed/)).toBeVisible();
      await expect(page.getByRole("button", { name: "Claim 10 Credits!" })).toHaveCount(0);
      await expect(main(page).getByText("Monthly challenge").last()).toBeVisible();
    });

    // spec: 5.14, 8.31
    test("a picture is uploaded, seen and removed", async ({ page, signIn }) => {
      await signIn(people.editor);
      await page.goto("/profile");
      await page.getByRole("button", { name: "Change picture" }).click();
      const dialog = page.getByRole("dialog", { name: "Profile picture" });
      const file = { name: "me.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") };
      await dialog.getByLabel("Choose a picture").setInputFiles(file);
      if (!javaScriptEnabled) await dialog.getByRole("button", { name: "Save picture" }).click();
      await expect(dialog.getByRole("alert")).toContainText("Please select a JPG or PNG image");
      const buffer = await stripes(600, 300).jpeg().toBuffer();
      const photo = { name: "me.jpg", mimeType: "image/jpeg", buffer };
      await dialog.getByLabel("Choose a picture").setInputFiles(photo);
      if (javaScriptEnabled)
        await expect(dialog.getByRole("slider", { name: "Zoom" })).toBeVisible();
      await dialog.getByRole("button", { name: "Save picture" }).click();
      await expect(notice(page)).toContainText("Profile picture updated successfully");
      await expect(dialog).toBeHidden();
      expect(await colourOf(page)).toBe("green");
      await page.getByRole("button", { name: "Change picture" }).click();
      await dialog.getByRole("button", { name: "Remove picture" }).click();
      await expect(notice(page)).toContainText("Profile picture removed");
      await expect(main(page).locator('img[src^="/files/"]')).toHaveCount(0);
    });
  });
}

test("a profile picture is not in the browser's cache after signing out", async ({
  page,
  signIn,
  database,
}) => {
  const { who } = await addPlayer(database.db);
  await signIn(who);
  await page.goto("/profile");
  await page.getByRole("button", { name: "Change picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Profile picture" });
  const buffer = await stripes(300, 300).jpeg().toBuffer();
  const photo = { name: "me.jpg", mimeType: "image/jpeg", buffer };
  await dialog.getByLabel("Choose a picture").setInputFiles(photo);
  await dialog.getByRole("button", { name: "Save picture" }).click();
  await expect(notice(page)).toContainText("Profile picture updated successfully");
  const address = await main(page).locator('img[src^="/files/"]').first().getAttribute("src");
  const isCached = () =>
    page.evaluate(async (src) => {
      const wish = { cache: "only-if-cached", mode: "same-origin" } as const;
      return fetch(src, wish).then(
        ({ ok }) => ok,
        () => false,
      );
    }, address!);
  await expect.poll(isCached).toBe(true);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(notice(page)).toContainText("You have been successfully logged out.");
  expect(await isCached()).toBe(false);
});

test("the message about one picture goes with the next", async ({ page, signIn }) => {
  await signIn("lumi.kallio");
  await page.goto("/profile");
  await page.getByRole("button", { name: "Change picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Profile picture" });
  const input = dialog.getByLabel("Choose a picture");
  const choose = (buffer: Buffer) =>
    input.setInputFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer });
  const slider = dialog.getByRole("slider", { name: "Zoom" });
  const error = dialog.getByRole("alert");

  // The browser shows it; the server takes no GIF, whatever its name.
  await choose(await stripes().gif().toBuffer());
  await expect(slider).toBeVisible();
  await dialog.getByRole("button", { name: "Save picture" }).click();
  await expect(error).toContainText("Please select a JPG or PNG image");
  expect(await page.getByText("Failed to upload profile picture.").count()).toBe(1);
  await choose(await stripes().jpeg().toBuffer());
  await expect(error).toHaveCount(0);

  await choose(Buffer.from("no picture at all"));
  await expect(error).toContainText("Please select a JPG or PNG image");
  await expect(error).toBeFocused();
  await expect(slider).toHaveCount(0);
  await expect(input).toHaveValue("");

  await choose(await stripes().jpeg().toBuffer());
  await expect(slider).toBeVisible();
  await expect(error).toHaveCount(0);
  await dialog.getByRole("button", { name: "Save picture" }).click();
  await expect(notice(page)).toContainText("Profile picture updated successfully");
});

test("after signing out elsewhere the page says that nothing was saved", async ({
  page,
  signIn,
}) => {
  await signIn("lumi.kallio");
  await page.goto("/profile");
  await page.getByRole("button", { name: "Edit profile" }).click();
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(notice(page)).toContainText("You are signed out");
  await expect(notice(page)).toContainText("Sign in and try again.");
});

// spec: 3.31
test("a country is found and a picture is placed by keyboard alone", async ({ page, signIn }) => {
  await signIn("otso.harju");
  await page.goto("/profile");
  await page.getByRole("button", { name: "Edit profile" }).focus();
  await page.keyboard.press("Enter");
  const search = page.getByPlaceholder("Search countries");
  await search.focus();
  await page.keyboard.type("zzz");
  await expect(page.getByText("No options found")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(search).toHaveValue("");
  await page.keyboard.type("zzz");
  await page.getByRole("button", { name: "Save changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit profile" });
  await expect(dialog.getByRole("alert")).toContainText(
    "Please select a nationality from the list",
  );
  await expect(search).toHaveValue("zzz");
  await expect(search).toHaveAttribute("aria-invalid", "true");
  await search.fill("");
  await page.keyboard.type("usa");
  const list = page.getByRole("listbox", { name: "Countries" });
  await expect(list.getByRole("option")).toHaveText(["United States of America"]);
  await page.keyboard.press("Enter");
  await expect(search).toHaveValue("United States of America");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(notice(page)).toContainText("Profile updated");
  const facts = main(page).getByRole("listitem");
  await expect(facts.filter({ hasText: "United States of America" })).toBeVisible();

  await page.getByRole("button", { name: "Change picture" }).focus();
  await page.keyboard.press("Enter");
  const buffer = await stripes(600, 200).jpeg().toBuffer();
  const photo = { name: "me.jpg", mimeType: "image/jpeg", buffer };
  await page.getByLabel("Choose a picture").setInputFiles(photo);
  await page.getByRole("slider", { name: "Zoom" }).focus();
  for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowRight");
  await page.getByRole("group", { name: /arrow keys/ }).focus();
  // The picture moves to the right under its window, until its left edge is there.
  for (let n = 0; n < 40; n += 1) await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Save picture" }).focus();
  await page.keyboard.press("Enter");
  await expect(notice(page)).toContainText("Profile picture updated successfully");
  expect(await colourOf(page)).toBe("red");
});

test("another's profile says nothing that is not for others", async ({
  page,
  signIn,
  database,
}) => {
  const profiles = database.db.selectFrom("profiles").select("user_id");
  const { user_id } = await profiles
    .where("email", "=", "player@uni.example")
    .executeTakeFirstOrThrow();
  await page.goto(`/profile/${user_id}`);
  await expect(page).toHaveURL(/\/$/);
  await signIn("amira.hassan");
  const response = await page.goto(`/profile/${user_id}`);
  const html = (await response?.text()) ?? "";
  await expect(main(page).getByRole("heading", { level: 1 })).toHaveText("Eero Mäkelä");
  await expect(main(page).getByText("Events joined")).toBeVisible();
  for (const secret of ["player@uni.example", "1999-02", "wallet_balance", "100 credits"]) {
    expect(html).not.toContain(secret);
  }
  const missing = await page.goto(`/profile/${crypto.randomUUID()}`);
  expect(missing?.status()).toBe(404);
  await expect(main(page).getByText("Profile Not Found").last()).toBeVisible();
});

test("uploads have their limit, and stored files their headers", async ({
  page,
  signIn,
  request,
}) => {
  await signIn("nadia.petrova");
  const send = (buffer: Buffer) =>
    page.request.post("/profile", {
      multipart: {
        intent: "picture",
        picture: { name: "me.png", mimeType: "image/png", buffer },
      },
      maxRedirects: 0,
    });
  expect((await send(Buffer.alloc(6.5 * 1024 * 1024))).status()).toBe(413);
  expect((await send(await stripes().png().toBuffer())).status()).toBe(302);
  await page.goto("/profile");
  const pictures = main(page).locator('img[src^="/files/"]');
  const src = await pictures.first().getAttribute("src");
  const picture = await request.get(src ?? "");
  expect([picture.status(), picture.headers()]).toMatchObject([
    200,
    {
      "content-type": "image/webp",
      "cache-control": expect.stringContaining("immutable"),
      "x-content-type-options": "nosniff",
    },
  ]);
  expect((await request.head(src ?? "")).status()).toBe(200);
  for (const path of ["/files/", "/files/../session-secret", "/files/avatars/%2e%2e%2fx.webp"]) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
});

async function searchCountry(page: Page, typed: string, name: string) {
  await page.getByPlaceholder("Search countries").fill(typed);
  await page.getByRole("option", { name }).click();
}

/** What is in the middle of the picture on the profile. */
async function colourOf(page: Page): Promise<string | undefined> {
  const src = await main(page).locator('img[src^="/files/"]').first().getAttribute("src");
  const response = await page.request.get(src ?? "");
  const middle = { left: 200, top: 200, width: 112, height: 112 };
  const { channels } = await sharp(await response.body())
    .extract(middle)
    .toBuffer()
    .then((bytes) => sharp(bytes).stats());
  const means = channels.slice(0, 3).map(({ mean }) => mean);
  return ["red", "green", "blue"][means.indexOf(Math.max(...means))];
}
