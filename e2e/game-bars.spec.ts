import type { Db } from "#app/platform/db.server.ts";
import { randomUUID } from "node:crypto";
import { expect, test as base } from "./fixtures.ts";
import { findGames } from "./games.ts";
import { barsAndToast, LARGE_TEXT, outOfReach, widthOf } from "./layout.ts";
import { addPlayer } from "./players.ts";
import { openStage } from "./waitlist-stage.ts";
import { isLong } from "#test/long.ts";

type Stage = ReturnType<typeof openStage>;
const test = base.extend<{ stage: Stage }>({
  stage: async ({ baseURL, dataDir, database }, use) =>
    use(openStage({ url: baseURL!, dataDir, db: database.db }, database)),
});

const MOST_BARS = 0.35;
const HOUR_MS = 3_600_000;

interface Visit {
  who?: string;
  gameId: string;
}
interface State {
  /** Who looks at which game. */
  enter(stage: Stage, db: Db): Promise<Visit>;
  /** What the bar says. */
  says: string;
}

const STATES: Record<string, State> = {
  "a visitor": {
    enter: async (_, db) => ({ gameId: (await findGames(db)).open }),
    says: "Join game",
  },
  "a player without credits": {
    enter: async (_, db) => ({ ...(await addPlayer(db)), gameId: (await findGames(db)).open }),
    says: "You need 10 more credits",
  },
  "a player with credits": {
    enter: async (stage) => ({ ...(await stage.player()), ...(await stage.game(4)) }),
    says: "Balance after",
  },
  "a player whose session is free": {
    enter: async (_, db) => ({ ...(await addPlayer(db)), gameId: (await findGames(db)).free }),
    says: "Free",
  },
  "a full game": {
    enter: async (stage) => ({ ...(await stage.player()), ...(await stage.fullGame()) }),
    says: "GAME FULL",
  },
  "a player who waits": { enter: (stage, db) => waiting(stage, db, {}), says: "Manage" },
  "a player whose waited-for game has changed": {
    enter: (stage, db) => waiting(stage, db, { needs_consent: true }),
    says: "Look and agree",
  },
  "a player whose offers went unanswered": {
    enter: (stage, db) => waiting(stage, db, { needs_consent: true, unanswered_offers: 2 }),
    says: "Ask me again",
  },
  "a player with an offer": {
    enter: async (stage, db) => {
      const { gameId, cancel } = await stage.fullGame();
      const asked = await stage.player();
      await stage.wait(asked, gameId, "ask");
      await cancel();
      const entry = db
        .selectFrom("waitlist_entries")
        .select("status")
        .where("game_id", "=", gameId);
      await expect.poll(async () => (await entry.executeTakeFirst())?.status).toBe("Offered");
      return { ...asked, gameId };
    },
    says: "A spot is held for you",
  },
  "a player who is in": {
    enter: (stage, db) => inGame(stage, db, 15),
    says: "You're attending this game!",
  },
  "a player whose game is on": {
    enter: (stage, db) => inGame(stage, db, 0),
    says: "You're attending this game!",
  },
  "a player whose game is over": {
    enter: (stage, db) => inGame(stage, db, -30),
    says: "You were in this game.",
  },
  "a player whose game was cancelled": {
    enter: async (stage, db) => {
      const visit = await inGame(stage, db, 15);
      const game = db.updateTable("games").where("id", "=", visit.gameId);
      await game.set({ status: "Cancelled" }).execute();
      return visit;
    },
    says: "This game was cancelled.",
  },
  "a player who pays": {
    enter: async (stage, db) => {
      const { gameId } = await stage.game(4);
      const { who, userId } = await addPlayer(db);
      const expires_at = new Date(Date.now() + HOUR_MS / 4);
      const packs = db.selectFrom("credit_packs").select("id").where("pack_key", "=", "monthly_12");
      const { id: pack_id } = await packs.executeTakeFirstOrThrow();
      const hold = { id: randomUUID(), game_id: gameId, user_id: userId, expires_at, pack_id };
      await db
        .insertInto("payment_holds")
        .values({ ...hold, holds_spot: true, shown: "{}" })
        .execute();
      return { who, gameId };
    },
    says: "until",
  },
};

async function waiting(stage: Stage, db: Db, state: object): Promise<Visit> {
  const { gameId } = await stage.fullGame();
  const player = await stage.player();
  await stage.wait(player, gameId, "ask");
  const entries = db.updateTable("waitlist_entries").where("user_id", "=", player.userId);
  await entries.set({ mode: "ask", ...state }).execute();
  return { ...player, gameId };
}

async function inGame(stage: Stage, db: Db, hoursAhead: number): Promise<Visit> {
  const { gameId } = await stage.game(4, hoursAhead);
  const player = await stage.player();
  const booking = { game_id: gameId, user_id: player.userId, payment_status: "Paid" } as const;
  await db
    .insertInto("bookings")
    .values({ ...booking, price_eur: "0" })
    .execute();
  return { ...player, gameId };
}

const LOOKED_AT = Object.entries(STATES).filter((_, n) => isLong || n % 2 === 0);

for (const [name, { enter, says }] of LOOKED_AT) {
  test(`banner, header and bar leave two thirds of a phone to the game: ${name}`, async ({
    page,
    signIn,
    stage,
    database: { db },
  }) => {
    const { who, gameId } = await enter(stage, db);
    if (who) await signIn(who);
    await page.goto(`/events/${gameId}`);
    await expect(page.locator("#join")).toContainText(says);
    expect.soft(await page.evaluate(barsAndToast)).toBeLessThanOrEqual(MOST_BARS);
    await page.setViewportSize({ width: 844, height: 390 });
    await expect.soft(page.locator("#join")).toBeInViewport({ ratio: 1 });
    expect.soft(await page.evaluate(outOfReach), "on its side").toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(LARGE_TEXT);
    expect.soft(await page.evaluate(widthOf), "with large text").toBe(390);
  });
}

test("the dialog of a waitlist has its button in view on each screen, with too few credits too", async ({
  page,
  signIn,
  stage,
  database: { db },
}) => {
  const { gameId } = await stage.fullGame();
  await signIn((await addPlayer(db)).who);
  await page.goto(`/events/${gameId}`);
  await page.getByRole("button", { name: "Join waitlist" }).click();
  const dialog = page.getByRole("dialog", { name: "Join the waitlist" });
  await expect(dialog).toContainText("You need 10 more credits by then.");
  const button = dialog.getByRole("button", { name: "Join waitlist" });
  for (const [width, height] of [
    [390, 844],
    [320, 640],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(button, `${width} × ${height}`).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(outOfReach), `${width} × ${height}`).toEqual([]);
  }
});

test("a toast on a phone covers neither the address nor the bar", async ({
  page,
  signIn,
  stage,
}) => {
  const { gameId } = await stage.fullGame();
  await signIn((await stage.player()).who);
  await page.goto(`/events/${gameId}`);
  await page.getByRole("button", { name: "Join waitlist" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Join waitlist" }).click();
  const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  await expect(toast).toContainText("You're on the waitlist");
  await toast.hover();
  for (const [width, height] of [
    [390, 844],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    const at = `${width} × ${height}`;
    await expect.poll(() => page.evaluate(coveredByToast), at).toEqual([]);
  }
});

function coveredByToast(): string[] {
  const toast = document.querySelector("[aria-label=Notifications] li")!.getBoundingClientRect();
  return [...document.querySelectorAll("#join, [data-read] li, [data-bar]")]
    .filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top < toast.bottom && bottom > toast.top;
    })
    .map((element) => element.textContent);
}
