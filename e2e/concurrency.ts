import { sql } from "kysely";
import { insertPlayer, type NewPlayer } from "#app/features/players/profiles.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Site } from "./site.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";
import { sessionCookie } from "./session.ts";

/** A player who is signed in. */
export interface Player {
  userId: string;
  cookie: string;
}

/** A player with credits, whose session is opened without the work of checking a password. */
export async function enterPlayer(
  { url, dataDir }: Site,
  { db }: Connection,
  { name, credits }: { name: string; credits: number },
): Promise<Player> {
  const userId = await db.transaction().execute((tx) => insertPlayer(tx, racer(name)));
  if (!userId) throw new Error(`${name} runs already`);
  if (credits > 0) await topUp(db, { userId, amountCents: credits * 100, key: `race-${name}` });
  return { userId, cookie: await sessionCookie({ url, dataDir, db }, userId) };
}

function racer(name: string): NewPlayer {
  const studies = { dateOfBirth: "2000-01-01", schoolYear: "Master" as const, major: "Sports" };
  const person = { firstName: "Racer", lastName: "Runner", phone: null, ...studies };
  return { ...person, email: `${name}@uni.example`, passwordHash: "none" };
}

/** The status of a join. */
export function join(url: string, { cookie }: Player, gameId: string): Promise<number> {
  return post(url, `/events/${gameId}`, cookie, { intent: "join", priceShown: "10" });
}

/** The status of a posted form; its answer is read, so that the connection is free again. */
export async function post(
  url: string,
  path: string,
  cookie: string,
  form: Record<string, string>,
): Promise<number> {
  const answer = await fetch(url + path, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookie },
    body: new URLSearchParams(form),
  });
  await answer.text();
  return answer.status;
}

/** Published games in the next months, nobody in them. */
export async function addRaceGames(
  db: Db,
  { count, spots }: { count: number; spots: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into games (title, date, start_time, end_time, status, max_players, venue_id)
    select 'Race ' || day, current_date + 30 + day, '18:00', '19:30', 'Published', ${spots}::int,
      (select id from venues order by name limit 1)
    from generate_series(1, ${count}::int) as day
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}
