import { randomUUID } from "node:crypto";
import { addGame } from "../db/insert.ts";
import { wallClock } from "#app/platform/clock.ts";
import { expect } from "./fixtures.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import { enterPlayer, join, type Player, post } from "./players.ts";
import type { RunningSite } from "./site.ts";

/** Near enough that nobody has to wait for the morning to be asked. */
const HOURS_AHEAD = 15;

type Actor = Player & { who: string };

/** Full games, and who waits for a spot in them. */
export function openStage(site: RunningSite, database: Connection) {
  const { url } = site;
  const player = async (): Promise<Actor> => {
    const who = `waits-${randomUUID().slice(0, 8)}`;
    return { who, ...(await enterPlayer(site, database, { name: who, credits: 20 })) };
  };
  const game = async (max_players: number, hoursAhead = HOURS_AHEAD) => {
    const { db } = database;
    const { id: venue_id } = await db.selectFrom("venues").select("id").executeTakeFirstOrThrow();
    const { date, time } = wallClock(new Date(Date.now() + hoursAhead * 3_600_000));
    const hour = time.slice(0, 2);
    const times = { date, start_time: `${hour}:00`, end_time: `${hour}:59` };
    const plan = { title: "Waited for", status: "Published" as const, max_players, venue_id };
    return { gameId: await addGame(db, { ...plan, ...times }) };
  };
  /** One spot, which `holder` has, until `cancel`. */
  const fullGame = async (hoursAhead = HOURS_AHEAD) => {
    const { gameId } = await game(1, hoursAhead);
    const holder = await player();
    expect(await join(url, holder, gameId)).toBe(302);
    const booking = database.db.selectFrom("bookings").select("id").where("game_id", "=", gameId);
    const { id: bookingId } = await booking.executeTakeFirstOrThrow();
    const cancel = () => post(url, "/bookings", holder.cookie, { intent: "cancel", bookingId });
    return { gameId, holder, cancel };
  };
  const wait = async ({ cookie }: Actor, gameId: string, mode: string) => {
    const form = { intent: "wait", mode, until: "0", priceShown: "10" };
    expect(await post(url, `/events/${gameId}`, cookie, form)).toBe(302);
  };
  return {
    ...{ player, game, fullGame, wait },
    join: (actor: Actor, gameId: string) => join(url, actor, gameId),
  };
}
