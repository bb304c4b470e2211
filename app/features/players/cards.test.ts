import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import {
  findCard,
  findSharedCard,
  findShareToken,
  shareCard,
  stopSharingCard,
} from "./cards.server.ts";

const database = useDatabase();
let playerId: string;
beforeAll(async () => {
  playerId = await ada(database.db);
});

const LATER = hoursLater(100);
const join = async (gameId: string) => {
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!result.ok) throw new Error(result.reason);
  return result.bookingId;
};

describe("a card", () => {
  test("shows only these fields", async () => {
    const card = await findCard(database.db, playerId, NOW);
    expect(Object.keys(card!).toSorted()).toEqual([
      "firstName",
      "gamesPlayed",
      "goals",
      "lastName",
      "nationality",
      "nationalityCode",
      "position",
      "profilePictureUrl",
      "thisMonth",
      "weeksInARow",
      "wins",
    ]);
  });

  // spec: 2.120
  test("counts paid games that are over and took place", async () => {
    const [played, calledOff, left] = [
      await aGame(database.db, { startsIn: 48 }),
      await aGame(database.db, { startsIn: 50 }),
      await aGame(database.db, { startsIn: 52 }),
    ];
    await join(played);
    await join(calledOff);
    const bookingId = await join(left);
    await join(await aGame(database.db, { startsIn: 200 }));
    await cancelGame(database.db, database.jobs, { gameId: calledOff, now: NOW });
    await cancelBooking(database.db, database.jobs, { bookingId, playerId, reason: "", now: NOW });
    expect((await findCard(database.db, playerId, hoursLater(49)))?.gamesPlayed).toBe(0);
    expect((await findCard(database.db, playerId, LATER))?.gamesPlayed).toBe(1);
  });

  test.each(["", "me", crypto.randomUUID(), "1\0"])(
    "of an unknown player does not exist (%j)",
    async (id) => {
      expect(await findCard(database.db, id, NOW)).toBeNull();
    },
  );
});

describe("sharing", () => {
  test("makes one address, however often it is asked for, and however quickly", async () => {
    const owner = await aPlayer(database.db);
    expect(await findShareToken(database.db, owner)).toBeNull();
    const tokens = await Promise.all(
      Array.from({ length: 50 }, () => shareCard(database.db, owner)),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).toMatch(/^[\w-]{22}$/);
    expect(await findShareToken(database.db, owner)).toBe(tokens[0]);
    const card = await findCard(database.db, owner, NOW);
    expect(await findSharedCard(database.db, tokens[0]!, NOW)).toEqual(card);
  });

  test("ends at once and for good, only for its owner", async () => {
    const [owner, other] = [await aPlayer(database.db), await aPlayer(database.db)];
    const [token, others] = [
      await shareCard(database.db, owner),
      await shareCard(database.db, other),
    ];
    await stopSharingCard(database.db, owner);
    await stopSharingCard(database.db, owner);
    expect(await findSharedCard(database.db, token, NOW)).toBeNull();
    expect(await findSharedCard(database.db, others, NOW)).not.toBeNull();
    const again = await shareCard(database.db, owner);
    expect(again).not.toBe(token);
    expect(await findSharedCard(database.db, token, NOW)).toBeNull();
  });

  test("an address is not an id, and no guess leads to a card", async () => {
    const owner = await aPlayer(database.db);
    const token = await shareCard(database.db, owner);
    const swapped = token.replace(/[a-zA-Z]/g, (c) =>
      c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
    );
    const guesses = [
      owner,
      swapped,
      `${token}x`,
      token.slice(1),
      "%",
      "_".repeat(22),
      `${token}\0`,
    ];
    for (const guess of guesses.filter((text) => text !== token)) {
      expect(await findSharedCard(database.db, guess, NOW), guess).toBeNull();
    }
  });
});
