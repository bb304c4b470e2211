import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { addPlayer } from "./players.ts";

const restored = (page: Page) => page.getByText(/^Draft from \d\d:\d\d restored\./);
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kept draft ")));

test("an answer comes back after a reload, also one that another sent answer was in the way of", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { userId: user_id } = await addPlayer(db);
  const written = { user_id, subject: "Shoes", message: "Red ones." };
  const tickets = db.insertInto("support_messages").values(written).returning("id");
  const { id } = await tickets.executeTakeFirstOrThrow();
  await signIn("admin");
  const answer = page.getByLabel("Answer", { exact: true });
  const another = page.getByLabel("Another answer");
  const send = page.getByRole("button", { name: "Send answer" });
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`/admin/inbox/${id}`);
  await answer.fill("In the hall.");
  await page.reload();
  await expect(restored(page)).toBeVisible();
  await expect(answer).toHaveValue("In the hall.");

  let isLost = false;
  await page.route("**/*.data*", async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  const lost = page.waitForEvent("requestfailed", (request) => request.method() === "POST");
  await send.click();
  await lost;
  await page.goto(`/admin/inbox/${id}`);
  await expect(another).toHaveValue("In the hall.");
  await another.fill("At the gate.");
  await send.click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  // The page has been read again, with another key.
  await expect(send).toBeEnabled();
  await page.reload();
  await expect(another).toHaveValue("At the gate.");
  await send.click();
  await expect(another).toHaveValue("");
  expect(await drafts(page)).toEqual([]);
  const answers = db.selectFrom("letter_answers").select("answer").where("message_id", "=", id);
  expect((await answers.execute()).map(({ answer: text }) => text).sort()).toEqual([
    "At the gate.",
    "In the hall.",
  ]);
});

test("what was typed stays when a reply came before the message was marked as done", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { userId: user_id } = await addPlayer(db);
  const written = { user_id, subject: "Gloves", message: "Red ones." };
  const tickets = db.insertInto("support_messages").values(written).returning("id");
  const { id: message_id } = await tickets.executeTakeFirstOrThrow();
  const answer_id = crypto.randomUUID();
  const given = { id: answer_id, answer: "Which hall?", answered_by: user_id };
  await db
    .insertInto("letter_answers")
    .values({ ...given, message_id, review_id: null, answered_at: new Date() })
    .execute();
  await signIn("admin");
  await page.goto(`/admin/inbox/${message_id}`);
  const another = page.getByLabel("Another answer");
  await another.fill("They are in the hall.");
  const reply = { answer_id, body: "The big one.", mail_key: answer_id, created_at: new Date() };
  await db.insertInto("ticket_replies").values(reply).execute();
  await page.getByRole("button", { name: "Mark as done" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Not marked as done");
  await expect(page.getByText("The big one.")).toBeVisible();
  await expect(another).toHaveValue("They are in the hall.");
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(page.getByText("Answer sent")).toBeVisible();
});

test("a new venue that was not saved comes back after a reload", async ({ page, signIn }) => {
  await signIn("admin");
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto("/admin/venues/new");
  await page.getByLabel("Name").fill("Reload Arena");
  await page.reload();
  await expect(restored(page)).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Reload Arena");
});
