import { expect, test } from "./journey.ts";
import { findGames } from "./games.ts";

test("nobody in it yet: the page says so and leads to joining", async ({
  page,
  signIn,
  database,
}) => {
  await signIn("player");
  const { empty } = await findGames(database.db);
  await page.goto(`/events/${empty}`);
  await expect(page.getByText("This game has no players yet.")).toBeVisible();
  await page.getByRole("link", { name: "Join game" }).click();
  await expect(page).toHaveURL(/#join$/);
  await expect(page.getByRole("button", { name: "Join game" })).toBeInViewport();
});

test("the photos of a game's venue turn", async ({ page, database }) => {
  const { open } = await findGames(database.db);
  await page.goto(`/events/${open}`);
  const photos = page.getByRole("group", { name: /^Photos of/ });
  await expect(photos.getByRole("group", { name: "Slide 1 of 3" })).toBeInViewport({ ratio: 0.9 });
  await photos.getByRole("button", { name: "Next slide" }).click();
  await expect(photos.getByRole("group", { name: "Slide 2 of 3" })).toBeInViewport({ ratio: 0.9 });
});
