import { expect, type Locator, type Page } from "@playwright/test";

export const PASSWORD = "Kickabout1";

/** Fills in the form to sign up, and sends it. */
export async function sendSignUp(page: Page, email: string): Promise<void> {
  await page.getByLabel("email (school) *").fill(email);
  await page.getByLabel("password *").fill(PASSWORD);
  await page.getByLabel("First Name *").fill("Tove");
  await page.getByLabel("Last Name *").fill("Ranta");
  await page.getByLabel("Date of Birth *").fill("2002-05-14");
  await page.getByLabel("Year of Study *").selectOption("Master");
  await page.getByLabel("Major *").fill("Physics");
  await page.getByRole("button", { name: "Sign up" }).click();
}

/** The mail is sent a moment after the response; polls the outbox until it is there. */
export async function openMail(page: Page, email: string, subject = ""): Promise<Locator> {
  const mail = page.getByRole("article").filter({ hasText: email }).filter({ hasText: subject });
  await expect(async () => {
    await page.goto("/demo/outbox");
    await expect(mail).toHaveCount(1, { timeout: 200 });
  }).toPass();
  return mail;
}
