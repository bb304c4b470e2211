import { manyLines } from "#app/platform/text.ts";
import { type Locator } from "@playwright/test";
import type { Db } from "#app/platform/db.server.ts";
import { expect, firstCases, type Page, test, WITH_SCRIPTS } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { addPlayer } from "./players.ts";

/** Somebody in a game of the demo's that nobody else of the tests writes in. */
async function join(db: Db) {
  const [{ who, userId: user_id }, { empty: game_id }] = [await addPlayer(db), await findGames(db)];
  const venue = db.selectFrom("games").select(["venue_id", "date"]).where("id", "=", game_id);
  const game = await db
    .insertInto("games")
    .values({
      ...(await venue.executeTakeFirstOrThrow()),
      ...{ title: "Evening futsal", status: "Published", max_players: 10 },
      ...{ start_time: "09:00", end_time: "10:00" },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const booking = { user_id, game_id: game.id, payment_status: "Paid" as const, price_eur: "0" };
  await db.insertInto("bookings").values(booking).execute();
  return { who, path: `/events/${game.id}/chat`, gamePath: `/events/${game.id}` };
}

const fieldOf = (page: Page) => page.getByRole("textbox", { name: "Message" });
const isInView = async (page: Page, what: Locator) => {
  const box = (await what.boundingBox())!;
  const { height } = page.viewportSize()!;
  return box.y >= 0 && box.y + box.height <= height;
};

for (const javaScriptEnabled of WITH_SCRIPTS) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "as plain HTML", () => {
    test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

    test("from the game's page into its chat, to the newest message", async ({
      page,
      signIn,
      database,
    }) => {
      const { who, path, gamePath } = await join(database.db);
      await signIn(who);
      await page.goto(gamePath);
      await fieldOf(page).fill("Hello from the game");
      await page.getByRole("button", { name: "Send" }).click();
      await page.waitForURL(`**${path}#latest`);
      await expect(page.getByText("Hello from the game")).toBeVisible();
      for (const text of ["One\n\n\ntwo", "Second", "Third"]) {
        await fieldOf(page).fill(text);
        await page.getByRole("button", { name: "Send" }).click();
        await expect(page.locator("section p").last()).toHaveText(text.replace(/\n+/, "\n\n"));
      }
      await expect(fieldOf(page)).toHaveValue("");
      expect(await isInView(page, page.getByText("Third"))).toBe(true);
      expect(await isInView(page, page.getByRole("button", { name: "Send" }))).toBe(true);
      await fieldOf(page).fill("x".repeat(501));
      await page.getByRole("button", { name: "Send" }).click();
      await expect(page.getByRole("alert")).toContainText(
        "Message is too long (max 500 characters)",
      );
      await expect(fieldOf(page)).toHaveValue("x".repeat(501));
    });
  });
}

test.describe("the keyboard", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("Enter sends, Shift and Enter is a new line, and a composition is never sent", async ({
    page,
    signIn,
    database,
  }) => {
    const { who, path } = await join(database.db);
    await signIn(who);
    await page.goto(path);
    const field = fieldOf(page);
    await field.pressSequentially("First line");
    await field.press("Shift+Enter");
    await field.pressSequentially("second line");
    const [low, high] = [40, 60];
    expect((await field.boundingBox())!.height).toBeGreaterThan(high);
    // Events that browsers report for the Enter that takes a suggestion.
    for (const ends of [{ isComposing: true }, { keyCode: 229 }]) {
      await field.dispatchEvent("keydown", { key: "Enter", bubbles: true, ...ends });
    }
    await expect(field).toHaveValue("First line\nsecond line");
    await field.press("Enter");
    await expect(page.locator("section p").last()).toHaveText("First line\nsecond line");
    await expect(field).toHaveValue("");
    await expect(field).toBeFocused();
    expect((await field.boundingBox())!.height).toBeGreaterThan(low);
    const rows = await database.db
      .selectFrom("chat_messages")
      .select("body")
      .where("game_id", "=", path.split("/")[2]!)
      .execute();
    expect(rows).toEqual([{ body: "First line\nsecond line" }]);
  });
});

const SCRIPTS = [
  ["W".repeat(500), "漢".repeat(500), "ש".repeat(500), "https://a.example/" + "x".repeat(482)],
  ["😀".repeat(500), "👩‍👩‍👧‍👦".repeat(71), "x ".repeat(249) + "xx"],
  ["\u200f" + "W".repeat(499), "x\u200d".repeat(250), "Z\u0323\u0300\u0334".repeat(125)],
];

for (const [n, texts] of firstCases([...SCRIPTS.entries()])) {
  test.describe("on a phone", () => {
    test.use({ viewport: { width: 390, height: 844 } });

    test(`five hundred characters of any script stay within the line, here and on the game's page, ${n + 1}`, async ({
      page,
      signIn,
      database,
    }) => {
      const { who, path, gamePath } = await join(database.db);
      await signIn(who);
      await page.goto(path);
      for (const [sent, text] of texts.entries()) {
        await fieldOf(page).fill(text);
        await fieldOf(page).press("Enter");
        await expect(page.locator("[id^=message-]")).toHaveCount(sent + 1);
        // The rest of what fills a phone is folded, in a paragraph of its own.
        const parts = page.locator("[id^=message-]").last().locator("p");
        const words = (await parts.allTextContents()).join("").replaceAll("\n", "");
        expect(words).toBe(manyLines(text).replaceAll("\n", ""));
        expect(await widths(page)).toEqual([390, 390]);
      }
      await page.goto(gamePath);
      const start = [...manyLines(texts.at(-1)!)].slice(0, 100).join("");
      await expect(page.getByText(start)).toBeVisible();
      expect(await widths(page)).toEqual([390, 390]);
    });
  });
}

const widths = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
