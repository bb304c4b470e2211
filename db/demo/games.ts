import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addGame } from "../insert.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { stageChat } from "./chat.ts";
import { eveningSlot, slotsOfThisMonth, type WallClockSlot } from "./past.ts";
import { isOutdoor, type PlannedGame, UPCOMING } from "./schedule.ts";
import type { VenueSlug } from "./venues.ts";

interface Stage {
  db: Db;
  jobs: Jobs;
  now: Date;
  venueIds: Map<VenueSlug, string>;
  /** Ids of the demo player and of those who fill the games. */
  playerId: string;
  otherIds: string[];
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The games of the demo data, their bookings made as players make them. */
export async function stageGames(stage: Stage): Promise<void> {
  const today = helsinkiDate(stage.now);
  let turn = 0;
  const talkedAbout = UPCOMING.find(({ withPlayer, status }) => withPlayer && !status);
  const past = pastGames(stage.now);
  for (const [index, { slot, game }] of past.entries()) {
    // Less and less, so that joins stay in the games' order even where these are minutes apart.
    const lead = DAY + (past.length - index) * 41 * MINUTE;
    const joinedBy = (startsAt: Date) => startsAt.getTime() - lead;
    const gameId = await stageGame(stage, slot, game, index * 7, joinedBy);
    const bookings = stage.db.updateTable("bookings").where("game_id", "=", gameId);
    await bookings.set({ attendance: "CheckedIn" }).execute();
  }
  for (const [index, game] of UPCOMING.entries()) {
    const date = addDays(today, game.day);
    const slot = { date, start_time: `${game.start}:00`, end_time: `${game.end}:00` };
    const joinedBy = () => stage.now.getTime() - (UPCOMING.length - index) * 35 * MINUTE;
    const gameId = await stageGame(stage, slot, game, (turn += 7), joinedBy);
    if (game !== talkedAbout) continue;
    await stageChat(stage.db, { gameId, playerIds: playersOf(stage, game, turn), now: stage.now });
  }
}

/** Five games of this month that the demo player has played, two before, two without them. */
function pastGames(now: Date) {
  const venues: VenueSlug[] = ["otaniemi-hall", "toolo-cage", "tapiola-court"];
  const shape = { spots: 10, joined: 6, start: "", end: "", day: 0 };
  const thisMonth = slotsOfThisMonth(now);
  const firstOfMonth = `${helsinkiDate(now).slice(0, 8)}01`;
  const before = [-12, -9, -5, -2].map((days) => eveningSlot(firstOfMonth, days));
  return [...before, ...thisMonth].map((slot, index) => ({
    slot,
    game: { ...shape, venue: venues[index % 3]!, withPlayer: index !== 1 && index !== 3 },
  }));
}

/** Its players join one after the other until `joinedBy`. */
async function stageGame(
  stage: Stage,
  slot: WallClockSlot,
  plan: PlannedGame,
  firstOther: number,
  joinedBy: (startsAt: Date) => number,
) {
  const { db, jobs } = stage;
  const gameId = await addGame(db, {
    ...slot,
    title: isOutdoor(plan.venue) ? "Outdoor five-a-side" : "Indoor futsal",
    description: plan.description ?? "",
    level: plan.level ?? null,
    status: plan.status === "Draft" ? "Draft" : "Published",
    max_players: plan.spots,
    min_players: plan.minPlayers ?? null,
    is_outdoor: isOutdoor(plan.venue),
    is_first_session_free: plan.isFree ?? false,
    venue_id: stage.venueIds.get(plan.venue)!,
  });
  const { starts_at } = await db
    .selectFrom("games")
    .select("starts_at")
    .where("id", "=", gameId)
    .executeTakeFirstOrThrow();
  const players = playersOf(stage, plan, firstOther);
  for (const [index, playerId] of players.entries()) {
    const joined = new Date(joinedBy(starts_at) - (players.length - index) * 3 * MINUTE);
    const result = await joinGame(db, jobs, { gameId, playerId, now: joined });
    if (!result.ok) throw new Error(`demo data: ${result.reason}`);
  }
  if (plan.status === "Cancelled") await cancelGame(db, jobs, { gameId, now: stage.now });
  return gameId;
}

function playersOf({ playerId, otherIds }: Stage, plan: PlannedGame, first: number): string[] {
  const others = Array.from(
    { length: plan.joined },
    (_, index) => otherIds[(first + index) % otherIds.length]!,
  );
  return plan.withPlayer ? [...others, playerId] : others;
}
