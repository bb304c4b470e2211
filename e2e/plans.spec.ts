import type { Connection } from "#app/platform/connect.server.ts";
import { OTHERS } from "../db/demo/people.ts";
import { expect, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { findGames } from "./games.ts";

const CHECKOUT =
  /\/demo\/checkout\/(\w+)\?client_reference_id=[\w-]{36}&prefilled_email=broke%40uni/;

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    // spec: 1.7, 2.106, 4.22, 9.35
    test("Buy credits leads by a plan to its payment link", async ({ page, signIn }) => {
      await signIn("broke");
      await page.goto("/bookings");
      await page.getByRole("button", { name: "Buy credits" }).click();
      const dialog = page.getByRole("dialog", { name: "Choose Your Plan" });
      await expect(dialog.getByText("9,99 € per game")).toBeVisible();
      const tab = dialog.getByRole("tab", { name: "Monthly Subscription" });
      if (javaScriptEnabled) await tab.click();
      await expect(dialog.getByText("MOST POPULAR")).toBeVisible();
      await dialog.getByRole("radio", { name: /8\.50€ per game/ }).check();
      await expect(dialog.getByText(/until you cancel/).first()).toBeVisible();
      await dialog.getByRole("button", { name: "START PLAYING" }).click();
      await expect(page).toHaveURL(CHECKOUT);
      expect(CHECKOUT.exec(page.url())?.[1]).toBe("monthly_4");
    });

    // spec: 4.21
    test("a join that lacks credits opens the plans, and they can be opened again", async ({
      page,
      signIn,
      database,
    }) => {
      await signIn("broke");
      const { open } = await findGames(database.db);
      await page.goto(`/events/${open}`, { waitUntil: "networkidle" });
      const pay = page.getByRole("button", { name: "Pay and join" });
      await pay.click();
      const dialog = page.getByRole("dialog", { name: "Choose Your Plan" });
      const need = dialog.getByText("This game costs 10 credits. You have 0.");
      await expect(need).toBeVisible();
      await dialog.getByRole("button", { name: "Close" }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
      await pay.click();
      await expect(need).toBeVisible();
    });

    // spec: 8.15
    test("a pack without a payment link says so", async ({ page, signIn, database }) => {
      const link = await setLink(database, "monthly_12", null);
      try {
        await signIn("broke");
        await page.goto("/bookings");
        await page.getByRole("button", { name: "Buy credits" }).click();
        if (javaScriptEnabled) {
          await page.getByRole("tab", { name: "Monthly Subscription" }).click();
        }
        await page.getByRole("radio", { name: /7\.50€ per game/ }).check();
        await page.getByRole("button", { name: "START PLAYING" }).click();
        const said = javaScriptEnabled ? page.getByLabel("Notifications") : page.getByRole("main");
        await expect(said).toContainText("Setup Required");
        await expect(said).toContainText(
          "Payment link is not configured yet. Please contact support.",
        );
        if (javaScriptEnabled) {
          // It is said once.
          await expect(page.getByRole("dialog").getByRole("heading", { level: 2 })).toHaveCount(1);
        } else {
          await page.getByRole("link", { name: "Go back" }).click();
          await expect(page).toHaveURL(/\/bookings$/);
        }
      } finally {
        await setLink(database, "monthly_12", link);
      }
    });
  });
}

// spec: 2.84
test("a plan is chosen by keyboard", async ({ page, signIn }) => {
  await signIn("broke");
  await page.goto("/bookings");
  await page.getByRole("button", { name: "Buy credits" }).click();
  await page.getByRole("tab", { name: "Pay Per Game" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Monthly Subscription" })).toBeFocused();
  // None that renews is chosen beforehand.
  await expect(page.getByText("Choose one of the plans")).toBeVisible();
  await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
  await page.getByRole("button", { name: "START PLAYING" }).press("Enter");
  await expect(page.getByRole("dialog").getByText("Choose a plan first.")).toBeVisible();
  await expect(page.getByRole("radio", { name: /8\.50€ per game/ })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page.getByRole("radio", { name: /8\.50€ per game/ })).toBeChecked();
  await expect(page.getByText("Choose a plan first.")).toHaveCount(0);
  await expect(page.getByText("Total 34.00 €, incl. VAT")).toBeVisible();
  await expect(page.getByText("Next: secure payment, 34.00 € a month until")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(CHECKOUT);
});

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled });

    test("a running plan is named, changed in the portal, and never sold twice", async ({
      page,
      signIn,
    }) => {
      await signIn(OTHERS.at(javaScriptEnabled ? -5 : -6)!.key);
      await openMonthly(page, javaScriptEnabled);
      const stale = await page.context().newPage();
      await openMonthly(stale, javaScriptEnabled);
      await subscribe(page);
      await subscribe(stale, { isRejected: true });
      const rejected = stale.getByRole(javaScriptEnabled ? "dialog" : "main");
      await expect(rejected).toContainText("4 games a month is running, so nothing was bought.");
      await rejected.getByRole("button", { name: "Manage subscription" }).first().click();
      await expect(stale.getByText("Sandbox portal — no real money")).toBeVisible();

      await openMonthly(page, javaScriptEnabled);
      const dialog = page.getByRole("dialog", { name: "Choose Your Plan" });
      const own = dialog.getByRole("listitem").filter({ hasText: "Your plan" });
      await expect(own).toContainText(/4 games a month.*Renews on/s);
      if (javaScriptEnabled) {
        await expect(dialog.getByRole("button", { name: "START PLAYING" })).toBeHidden();
      }
      await dialog.getByRole("button", { name: "Change plan to 12 games a month" }).click();
      await page.getByRole("button", { name: "Change to 12 games a month" }).click();
      await expect(page.getByRole("region", { name: "Subscriptions" })).toContainText("90.00 €");
      await page.goto("/wallet");
      await expect(page.getByRole("region", { name: "Subscription" })).toContainText(
        "120 credits a month for 90.00 €",
      );
    });
  });
}

async function openMonthly(page: Page, javaScriptEnabled: boolean) {
  await page.goto("/wallet", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Buy credits" }).click();
  await expect(page.getByRole("dialog", { name: "Choose Your Plan" })).toBeVisible();
  if (javaScriptEnabled) await page.getByRole("tab", { name: "Monthly Subscription" }).click();
}

async function subscribe(page: Page, { isRejected = false } = {}) {
  await page.getByRole("radio", { name: /8\.50€ per game/ }).check();
  await page.getByRole("button", { name: "START PLAYING" }).click();
  if (isRejected) return;
  await page.getByRole("button", { name: "Subscribe for 34.00 €" }).click();
  await expect(page.getByText("40 credits added")).toBeVisible();
}

/** Answers the link that was there. */
async function setLink({ db }: Connection, packKey: string, link: string | null) {
  const pack = db.selectFrom("credit_packs").select("stripe_checkout_link as link");
  const { link: before } = await pack.where("pack_key", "=", packKey).executeTakeFirstOrThrow();
  const change = db.updateTable("credit_packs").set({ stripe_checkout_link: link });
  await change.where("pack_key", "=", packKey).execute();
  return before;
}
