import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/bookings/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import {
  findCard,
  findSharedCard,
  findShareToken,
  shareCard,
  stopSharingCard,
} from "./cards.server.ts";

const world = useDatabase();
let playerId: string;
beforeAll(async () => {
  playerId = await ada(world.db);
});

const LATER = hoursLater(100);
const join = async (gameId: string) => {
  const answer = await joinGame(world.db, world.jobs, { gameId, playerId, now: NOW });
  if (!answer.ok) throw new Error(answer.reason);
  return answer.bookingId;
};

describe("a card", () => {
  test("shows these things and no others", async () => {
    const card = await findCard(world.db, playerId, NOW);
    expect(Object.keys(card!).toSorted()).toEqual([
      "firstName",
      "gamesPlayed",
      "goals",
      "lastName",
      "nationality",
      "nationalityCode",
      "position",
      "profilePictureUrl",
      "wins",
    ]);
  });

  // spec: 2.120
  test("counts paid games that are over and took place", async () => {
    const [played, calledOff, left] = [
      await aGame(world.db, { startsIn: 48 }),
      await aGame(world.db, { startsIn: 50 }),
      await aGame(world.db, { startsIn: 52 }),
    ];
    await join(played);
    await join(calledOff);
    const bookingId = await join(left);
    await join(await aGame(world.db, { startsIn: 200 }));
    await cancelGame(world.db, world.jobs, { gameId: calledOff, now: NOW });
    await cancelBooking(world.db, world.jobs, { bookingId, playerId, reason: "", now: NOW });
    expect((await findCard(world.db, playerId, hoursLater(49)))?.gamesPlayed).toBe(0);
    expect((await findCard(world.db, playerId, LATER))?.gamesPlayed).toBe(1);
  });

  test.each(["", "me", crypto.randomUUID(), "1\0"])(
    "of an unknown player does not exist (%j)",
    async (id) => {
      expect(await findCard(world.db, id, NOW)).toBeNull();
    },
  );
});

describe("sharing", () => {
  test("makes one address, however often it is asked for, and however quickly", async () => {
    const owner = await aPlayer(world.db);
    expect(await findShareToken(world.db, owner)).toBeNull();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => shareCard(world.db, owner)));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).toMatch(/^[\w-]{22}$/);
    expect(await findShareToken(world.db, owner)).toBe(tokens[0]);
    const card = await findCard(world.db, owner, NOW);
    expect(await findSharedCard(world.db, tokens[0]!, NOW)).toEqual(card);
  });

  test("ends at once and for good, and only for who ended it", async () => {
    const [owner, other] = [await aPlayer(world.db), await aPlayer(world.db)];
    const [token, others] = [await shareCard(world.db, owner), await shareCard(world.db, other)];
    await stopSharingCard(world.db, owner);
    await stopSharingCard(world.db, owner);
    expect(await findSharedCard(world.db, token, NOW)).toBeNull();
    expect(await findSharedCard(world.db, others, NOW)).not.toBeNull();
    const again = await shareCard(world.db, owner);
    expect(again).not.toBe(token);
    expect(await findSharedCard(world.db, token, NOW)).toBeNull();
  });

  test("an address is not an id, and no guess leads to a card", async () => {
    const owner = await aPlayer(world.db);
    const token = await shareCard(world.db, owner);
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
      expect(await findSharedCard(world.db, guess, NOW), guess).toBeNull();
    }
  });
});
