import { addGame } from "../db/insert.ts";
import { addPlayer } from "./players.ts";
import { addPlayer as addToRoster } from "#app/features/roster/add-player.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";

const HOUR_MS = 3_600_000;

/** A game that began an hour ago; the players have joined in time, but for `unpaid` of them. */
export async function aMatch({ db, pool }: Connection, names: string[], unpaid: string[] = []) {
  const start = new Date(Date.now() - HOUR_MS);
  const { date, time: start_time } = wallClock(start);
  const end_time = wallClock(new Date(start.getTime() + 50 * 60_000)).time;
  const venue = await db.selectFrom("venues").select("id").limit(1).executeTakeFirstOrThrow();
  const gameId = await addGame(db, {
    ...{ title: "Match day", date, start_time, end_time, max_players: 20 },
    ...{ venue_id: venue.id, status: "Published" },
  });
  const jobs = await openJobs(pool, "of no job with a token");
  const now = new Date(start.getTime() - HOUR_MS);
  const actorId = await idOf(db, "admin");
  const bookings = new Map<string, string>();
  for (const name of [...names, ...unpaid]) {
    const playerId = await aNamed({ db, jobs }, name);
    const seat = { gameId, playerId, actorId, now };
    const joined = unpaid.includes(name)
      ? await addToRoster(db, jobs, seat)
      : await joinGame(db, jobs, seat);
    if (!joined.ok) throw new Error(joined.reason);
    bookings.set(name, joined.bookingId);
  }
  await jobs.stop();
  return { gameId, bookings, actorId };
}

async function aNamed({ db, jobs }: { db: Db; jobs: Jobs }, first_name: string): Promise<string> {
  const { userId } = await addPlayer(db);
  await db.updateTable("profiles").set({ first_name }).where("user_id", "=", userId).execute();
  const grant = { reason: "Welcome", actor: "command", key: userId, amountCents: 1_000 };
  await correctBalance(db, jobs, { ...grant, userId });
  return userId;
}

async function idOf(db: Db, key: string): Promise<string> {
  const user = db.selectFrom("users").select("id").where("email", "=", `${key}@uni.example`);
  return (await user.executeTakeFirstOrThrow()).id;
}
