import { DEMO_PASSWORD } from "../db/demo/people.ts";
import { expect, type Page, test } from "./journey.ts";

test("a game is found, joined and cancelled by keyboard alone", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const main = page.getByRole("main");
  await page.goto("/auth");
  await tabTo(page, "textbox", "email");
  await page.keyboard.type("admin@uni.example");
  await tabTo(page, "textbox", "password");
  await page.keyboard.type(DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/events$/);

  await tabTo(page, "button", "Filters");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Location" })).toBeVisible();
  await tabTo(page, "checkbox", "Indoor");
  await page.keyboard.press("Space");
  await tabTo(page, "checkbox", "Espoo");
  await page.keyboard.press("Space");
  await tabTo(page, "button", "Apply Selection");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/indoor=1&city=Espoo/);

  await tabTo(page, "link", /Tapiola Futsal Court.*[4-9] spots left/);
  await page.keyboard.press("Enter");
  await expect(main.getByRole("heading", { level: 1, name: "Tapiola Futsal Court" })).toBeVisible();
  await tabTo(page, "button", "Join game");
  await page.keyboard.press("Enter");
  await expect(main.getByText("You're attending this game!")).toBeVisible();
  await tabTo(page, "link", "My Games");
  await page.keyboard.press("Enter");

  await expect(main.getByRole("heading", { name: "NEXT GAMES" })).toBeVisible();
  await tabTo(page, "button", /^Cancel Tapiola/);
  await page.keyboard.press("Space");
  await expect(page.getByRole("dialog", { name: "Cancel this booking?" })).toBeVisible();
  await tabTo(page, "button", "Cancel booking");
  await page.keyboard.press("Enter");
  await expect(main.getByText("You are not attending any game yet.")).toBeVisible();
});

const MOST_STOPS = 80;

/** Presses Tab until something of that role and name has the focus, and sees that it shows. */
async function tabTo(
  page: Page,
  role: "link" | "button" | "textbox" | "checkbox",
  name: string | RegExp,
) {
  const wanted = page.getByRole(role, typeof name === "string" ? { name, exact: true } : { name });
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    if ((await page.locator(":focus").and(wanted).count()) === 0) continue;
    // A ring is drawn, and nothing that stays in its place lies over it.
    await expect.poll(() => page.evaluate(lookOfFocus)).toBe("shown");
    return;
  }
  throw new Error(`Tab does not lead to the ${role} ${name}`);
}

function lookOfFocus(): string {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return "nothing has the focus";
  const visible = focused.closest("label") ?? focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(visible);
  const name = visible.textContent?.trim() || visible.tagName;
  if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) return `no ring: ${name}`;
  const { left, right, top, bottom } = visible.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const over = document.elementFromPoint(x, y);
  return over && (visible.contains(over) || over.contains(visible)) ? "shown" : `covered: ${name}`;
}
