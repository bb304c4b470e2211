import { expect, type Page, test } from "./fixtures.ts";
import { findGames } from "./games.ts";

const notice = (page: Page) => page.getByRole("region", { name: "Notifications" });
const alert = (page: Page) => page.getByRole("main").getByRole("alert");

// spec: 2.37, 4.34, 8.5
test("signing in is busy, and says in a toast and on the page why it failed", async ({ page }) => {
  await page.goto("/auth");
  const goOn = await hold(page, "**/auth.data*");
  await page.getByLabel("email", { exact: true }).fill("nobody@uni.example");
  await page.getByLabel("password", { exact: true }).fill("Wrong1234");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByRole("button", { name: "Signing in...", exact: true })).toBeVisible();
  goOn();
  await expect(alert(page)).toContainText("Wrong email or password.");
  await expect(notice(page)).toContainText("Sign in failed");
  await expect(notice(page)).toContainText("Wrong email or password.");
  // The box is read as it takes the focus.
  await expect(notice(page).locator("[aria-live=off]")).toContainText("Sign in failed");
  await expect(page.getByRole("button", { name: "Sign In", exact: true })).toBeVisible();
});

// spec: 2.42, 4.35, 8.2, 8.3
test("signing up is busy, and says in toasts what came of it", async ({ page }) => {
  // Confirmed already: the response is the same, and no account is created.
  const form = {
    ...{ intent: "sign-up", email: "amira.hassan@uni.example", password: "Kickabout1" },
    ...{ firstName: "Amira", lastName: "Hassan", dateOfBirth: "2001-05-14" },
    ...{ schoolYear: "Master", major: "Physics" },
  };
  await page.goto("/auth?tab=sign-up");
  await fillSignUp(page, { ...form, email: "amira.hassan@home.example" });
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await expect(notice(page)).toContainText("Sign up failed");
  await expect(notice(page)).toContainText((await alert(page).locator("a").innerText()).trim());
  const goOn = await hold(page, "**/auth.data*");
  await fillSignUp(page, form);
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await expect(
    page.getByRole("button", { name: "Creating Account...", exact: true }),
  ).toBeVisible();
  goOn();
  await expect(notice(page)).toContainText("Check your email");
  await expect(notice(page)).toContainText("We sent you a new confirmation link.");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Check your email");
  await expect(heading).toBeFocused();
  await expect(page.getByRole("main")).toContainText(form.email);
  await expect(page.getByLabel("email (school) *")).toHaveCount(0);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(notice(page)).toContainText("We sent you a new confirmation link.");
  await page.getByRole("link", { name: "Use another address" }).click();
  await expect(heading).toHaveText("Welcome");
  await expect(heading).toBeFocused();
  await expect(page.getByLabel("email (school) *")).toHaveValue("");
});

// spec: 8.17
test("a join that fails says why in a toast, and the Join bar how it stands", async ({
  page,
  signIn,
  database: { db },
}) => {
  const profile = db.selectFrom("profiles").select("user_id");
  const { user_id } = await profile
    .where("email", "=", "otso.harju@uni.example")
    .executeTakeFirstOrThrow();
  const { open } = await findGames(db);
  await signIn("otso.harju");
  await page.goto(`/events/${open}`);
  // The same player has joined on another device meanwhile.
  const booking = { game_id: open, user_id, payment_status: "Unpaid" as const };
  await db.insertInto("bookings").values(booking).execute();
  try {
    await page.getByRole("button", { name: "Join game", exact: true }).click();
    await expect(notice(page)).toContainText("Booking Error");
    await expect(notice(page)).toContainText("You're already in this game.");
    await expect(page.locator("#join")).toContainText("You're attending this game!");
    await expect(alert(page)).toHaveCount(0);
  } finally {
    const own = db.deleteFrom("bookings").where("user_id", "=", user_id);
    await own.where("game_id", "=", open).execute();
  }
});

/** Holds back the responses to posts there until the returned function is called. */
async function hold(page: Page, pattern: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
  });
  return resolve;
}

async function fillSignUp(page: Page, form: Record<string, string>) {
  await page.getByLabel("email (school) *").fill(form.email ?? "");
  await page.getByLabel("password *").fill(form.password ?? "");
  await page.getByLabel("First Name *").fill(form.firstName ?? "");
  await page.getByLabel("Last Name *").fill(form.lastName ?? "");
  await page.getByLabel("Date of Birth *").fill(form.dateOfBirth ?? "");
  await page.getByLabel("Year of Study *").selectOption(form.schoolYear ?? "");
  await page.getByLabel("Major *").fill(form.major ?? "");
}
