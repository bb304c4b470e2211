import { expect, type Page, test } from "./fixtures.ts";
import { fill, openChat, shown, stage, type Two, write } from "./chat-stage.ts";

test.use({ viewport: { width: 390, height: 844 } });

const fieldOf = (page: Page) => page.getByRole("textbox", { name: "Message" });
const menuOf = (page: Page, words: string) => page.getByLabel(new RegExp(`^Menu of .*: ${words}$`));

let two: Two;
test.beforeEach(async ({ signIn, database }) => {
  two = await stage(database);
  await signIn(two.first.who);
});

test("the last message's menu opens above the form, beside its message", async ({
  page,
  database,
}) => {
  await fill(database, two, 30);
  await openChat(page, two.path);
  await expect(shown(page)).toHaveCount(30);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await menuOf(page, "Line 30").click();
  await page.getByText("Report", { exact: true }).last().click();
  const last = page.getByRole("button", { name: "Block", exact: true }).last();
  await expect(async () => {
    const [choice, field] = [(await last.boundingBox())!, (await fieldOf(page).boundingBox())!];
    expect(choice.y + choice.height).toBeLessThanOrEqual(field.y);
  }).toPass();
  await expect(page.getByRole("button", { name: "Yes, report" })).toBeVisible();
  const text = (await page.getByText("Line 30", { exact: true }).boundingBox())!;
  const menu = (await menuOf(page, "Line 30").boundingBox())!;
  expect(menu.x - text.x - text.width).toBeLessThan(60);
});

test("the line above what was new is gone once its reader answers", async ({ page, database }) => {
  await openChat(page, two.path);
  await fill(database, two, 1);
  await expect(shown(page)).toHaveCount(1);
  await page.goto("/events");
  await fill(database, two, 2);
  await openChat(page, two.path);
  const line = page.getByText("New", { exact: true });
  await expect(line).toBeVisible();
  await write(page, "Fine");
  await expect(shown(page)).toHaveCount(4);
  await expect(line).toHaveCount(0);
});
