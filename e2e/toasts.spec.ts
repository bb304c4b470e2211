import { expect, firstCases, type Page, test } from "./fixtures.ts";
import { closeJoinedDialog, joinedDialog } from "./joined.ts";
import { findGames } from "./games.ts";
import { addChampion, addPlayer } from "./players.ts";

const toasts = (page: Page) =>
  page.getByRole("region", { name: "Notifications" }).getByRole("listitem");

test("a toast replaces the one before, and a new form takes it away", async ({ page }) => {
  await page.goto("/auth?tab=sign-up");
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await expect(toasts(page)).toHaveText(/Sign up failed/);
  await page.getByLabel("email (school) *").fill("someone@elsewhere.example");
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("**/auth.data*", (route) => held.then(() => route.continue()));
  // Under the pointer it would stay.
  await toasts(page).hover();
  await page.getByLabel("email (school) *").press("Enter");
  await expect(toasts(page)).toHaveCount(0);
  goOn();
  await expect(toasts(page)).toHaveText(/Please use your school email address\./);
  await page.unroute("**/auth.data*");
  await page.route("**/auth.data*", (route) => route.abort());
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await expect(toasts(page)).toHaveText(/The connection failed\./);
});

const SIZES = [
  [390, 844],
  [1280, 800],
  [320, 640],
  [768, 1024],
] as const;

for (const [width, height] of firstCases(SIZES, 2)) {
  test(`a toast covers neither bars nor what has the focus at ${width} × ${height}`, async ({
    page,
    signIn,
    database: { db },
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto("/auth?tab=sign-up");
    await page.getByRole("button", { name: "Sign up", exact: true }).click();
    await expect(page.getByRole("main").getByRole("alert")).toBeFocused();
    await expectClear(page);
    const { who, userId } = await addPlayer(db);
    await signIn(who);
    const { free } = await findGames(db);
    await page.goto(`/events/${free}`);
    await page.getByRole("button", { name: "Join game" }).click();
    try {
      await closeJoinedDialog(page);
      await expect(page.locator("#join")).toBeFocused();
      await expectClear(page);
    } finally {
      await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
    }
  });
}

/** The toast is on the screen, and nothing that must be seen is under it. */
async function expectClear(page: Page) {
  const toast = toasts(page);
  await expect(toast).toBeInViewport({ ratio: 1 });
  const covered = () =>
    toast.evaluate((element) => {
      const over = element.getBoundingClientRect();
      const bars = [...document.querySelectorAll("body > div > header, nav, #join")];
      return [document.activeElement!, ...bars]
        .filter((one) => {
          const { top, bottom, left, right } = one.getBoundingClientRect();
          const isBeside = right <= over.left || left >= over.right;
          return !isBeside && top < over.bottom - 1 && bottom > over.top + 1;
        })
        .map((one) => one.outerHTML.slice(0, 60));
    });
  await expect.poll(covered).toEqual([]);
}

test("a toast leaves the title of a dialog free that rises under it", async ({
  page,
  signIn,
  database: { db },
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const { who, userId } = await addPlayer(db);
  await signIn(who);
  const { free } = await findGames(db);
  await page.goto(`/events/${free}`);
  await page.getByRole("button", { name: "Join game" }).click();
  try {
    const head = joinedDialog(page).locator("header");
    await expect(toasts(page)).toContainText("Successfully joined!");
    await joinedDialog(page).evaluate((dialog) =>
      Promise.all(dialog.getAnimations().map(({ finished }) => finished)),
    );
    const [title, toast] = [await head.boundingBox(), await toasts(page).boundingBox()];
    const isAbove = toast!.y + toast!.height <= title!.y;
    expect(isAbove || toast!.y >= title!.y + title!.height).toBe(true);
  } finally {
    await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
  }
});

test("where a screen is too low for all, a toast leaves what has the focus free", async ({
  page,
  signIn,
  database: { db },
}) => {
  // 1280 × 1024 at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  const { who, userId } = await addPlayer(db);
  await signIn(who);
  const { free } = await findGames(db);
  await page.goto(`/events/${free}`);
  await page.getByRole("button", { name: "Join game" }).click();
  try {
    const bar = page.locator("#join");
    await closeJoinedDialog(page);
    await expect(bar).toBeFocused();
    await expect(toasts(page)).toBeInViewport({ ratio: 1 });
    await expect(bar.getByText("You're attending this game!")).toBeInViewport({ ratio: 1 });
    await expect
      .poll(async () => isOver(await toasts(page).boundingBox(), await bar.boundingBox()))
      .toBe(false);
    await toasts(page).getByRole("button", { name: "Dismiss" }).click();
    await expect(toasts(page)).toHaveCount(0);
  } finally {
    await db.deleteFrom("bookings").where("user_id", "=", userId).execute();
  }
});

test("a message goes when a dialog opens", async ({ page, signIn, database: { db } }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await signIn("admin");
  const { open } = await findGames(db);
  await page.goto(`/admin/games/${open}`, { waitUntil: "networkidle" });
  await page.context().setOffline(true);
  await page.getByLabel("More", { exact: true }).click();
  await page.getByRole("link", { name: "Duplicate" }).click();
  await expect(toasts(page)).toContainText("You are offline.");
  // The message may cover it at this height: by the keyboard.
  await page.getByRole("button", { name: "Cancel game" }).press("Enter");
  await expect(toasts(page)).toHaveCount(0);
});

type Box = { y: number; height: number } | null;

function isOver(one: Box, other: Box): boolean {
  return !!one && !!other && one.y < other.y + other.height && one.y + one.height > other.y;
}

test("joining moves nothing that one was reading, and is said by a toast and the badge alone", async ({
  page,
  signIn,
  database: { db },
}) => {
  await signIn(await addChampion(db));
  // Fewer than ten spots, whose number keeps its width.
  const { id } = await db
    .selectFrom("games")
    .select("id")
    .where("status", "=", "Published")
    .where("starts_at", ">", new Date())
    .where("seats_taken", ">", 3)
    .whereRef("seats_taken", "<", "max_players")
    .where("is_first_session_free", "=", false)
    .orderBy("starts_at", "desc")
    .executeTakeFirstOrThrow();
  await page.goto(`/events/${id}`);
  await page.waitForLoadState("networkidle");
  await page.evaluate(observeShifts);
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("**/events/*.data*", (route) => held.then(() => route.continue()));
  await page.getByRole("button", { name: "Join game" }).click();
  await expect(page.getByRole("button", { name: "Joining…" })).toBeVisible();
  // Until then a shift counts as the answer to the press, and is left out.
  await page.waitForFunction((until) => performance.now() > until, await graceEnds(page));
  goOn();
  await expect(toasts(page)).toHaveText(/Successfully joined!/);
  await expect(page.locator("#join")).toContainText("You're attending this game!");
  await expect(page.getByRole("main").getByText("joined")).toHaveCount(0);
  // What the page has more for who is in moves the rest under the dialog, where nobody reads.
  await expect(joinedDialog(page)).toBeVisible();
  await page.evaluate(() => void (window.shifts = []));
  await closeJoinedDialog(page);
  await expect(toasts(page)).toHaveCount(0);
  await expect(page.getByText("Successfully joined!")).toHaveCount(0);
  expect(await page.evaluate(() => window.shifts)).toEqual([]);
});

const graceEnds = (page: Page) => page.evaluate(() => performance.now() + 600);

function observeShifts() {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue;
      // A player who is in is on the list, reads the organiser's text, and has more in the bar.
      const headings = [...document.querySelectorAll("article h2")];
      const end = headings.find(({ textContent }) => textContent === "Players")!;
      const moved = sources.filter(({ node }) => !node || isAbove(node, end));
      window.shifts.push(...moved.map(({ node }) => node?.textContent ?? "gone"));
    }
  }).observe({ type: "layout-shift", buffered: false });

  function isAbove(node: Node, end: Element) {
    return (
      end.contains(node) || !(end.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)
    );
  }

  type Shift = PerformanceEntry & { hadRecentInput: boolean; sources: { node?: Node }[] };
}

declare global {
  interface Window {
    /** What moved. */
    shifts: string[];
  }
}

test("who comes too late for the last spot reads one toast and one sentence in the bar", async ({
  page,
  signIn,
  database: { db },
}) => {
  const { who } = await addPlayer(db);
  await signIn(who);
  // A stream would say it before the press.
  await page.route("**/live?*", (route) => route.abort());
  const { open } = await findGames(db);
  const own = db.selectFrom("games").select(["seats_taken", "max_players"]).where("id", "=", open);
  const { seats_taken, max_players } = await own.executeTakeFirstOrThrow();
  const limitTo = (spots: number) =>
    db.updateTable("games").set({ max_players: spots }).where("id", "=", open).execute();
  await page.goto(`/events/${open}`);
  await limitTo(seats_taken);
  try {
    await page.getByRole("button", { name: "Pay and join" }).click();
    await expect(toasts(page)).toHaveText(/Booking Error.*This game is full\./);
    const bar = page.locator("#join");
    await expect(bar.getByRole("button", { name: "GAME FULL" })).toBeDisabled();
    await expect(bar).toBeFocused();
    await expect(bar).toHaveText(/^GAME FULLNobody is waiting yet\.Join waitlist/);
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  } finally {
    await limitTo(max_players);
  }
});

test("a toast stays while it is touched, and five seconds more", async ({
  page,
  database: { db },
}) => {
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  await page.clock.install();
  const { open } = await findGames(db);
  await page.goto(`/events/${open}`);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.getByRole("button", { name: "SHARE GAME" }).click();
  await expect(toasts(page)).toHaveCount(1);
  await toasts(page).hover();
  await page.clock.runFor(20_000);
  await expect(toasts(page)).toHaveCount(1);
  await page.mouse.move(0, 0);
  await page.clock.runFor(4_900);
  await expect(toasts(page)).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(toasts(page)).toHaveCount(0);
});
