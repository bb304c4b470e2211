import { randomUUID } from "node:crypto";
import { addGame } from "../db/insert.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { slotsOfThisMonth } from "../db/demo/past.ts";
import { insertPlayer, type NewPlayer } from "#app/features/players/profiles.server.ts";
import { sql } from "kysely";
import type { Connection } from "#app/platform/connect.server.ts";
import { type Site, sessionCookie } from "./site.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";

/** For what is done behind the pages: its emails are of no interest. */
export const SILENT = {
  enqueue: async () => {},
  enqueueAll: async () => {},
  enqueueEmails: async () => {},
};
export const silent = (db: Db) => ({ db, jobs: SILENT });

/** A new player with the demo's password; `who` is the local part of the email. */
export async function addPlayer(db: Db): Promise<{ who: string; userId: string }> {
  const who = `e2e-${randomUUID().slice(0, 8)}`;
  const { password } = await db
    .selectFrom("accounts")
    .innerJoin("users", "users.id", "accounts.user_id")
    .select("password")
    .where("email", "=", "player@uni.example")
    .executeTakeFirstOrThrow();
  const player = {
    email: `${who}@uni.example`,
    firstName: "Kirsi",
    lastName: "Example",
    passwordHash: password!,
    dateOfBirth: "2001-05-17",
    schoolYear: "Master" as const,
    major: "Physics",
    phone: null,
  };
  const userId = await db.transaction().execute((tx) => insertPlayer(tx, player));
  return { who, userId: userId! };
}

/** One who has the credits for two games, and has played five this month. */
export async function addChampion(db: Db): Promise<string> {
  const { who, userId } = await addPlayer(db);
  const grant = { reason: "Welcome", actor: "command", key: randomUUID(), amountCents: 2_000 };
  await correctBalance(db, SILENT, { ...grant, userId });
  await playFive(db, who);
  return who;
}

/** Five games that a player has played this month, beside those of the demo data. */
export async function playFive(db: Db, who: string): Promise<void> {
  const profile = db.selectFrom("profiles").select("user_id");
  const email = `${who}@uni.example`;
  const { user_id } = await profile.where("email", "=", email).executeTakeFirstOrThrow();
  const venue = db.selectFrom("venues").select("id").limit(1);
  const { id: venue_id } = await venue.executeTakeFirstOrThrow();
  for (const slot of slotsOfThisMonth(new Date())) {
    const game = { title: "Futsal", status: "Published" as const, max_players: 4, venue_id };
    const game_id = await addGame(db, { ...game, ...slot });
    const booking = { user_id, game_id, payment_status: "Paid" as const, price_eur: "0" };
    await db.insertInto("bookings").values(booking).execute();
  }
}

/** A player who is signed in. */
export interface Player {
  userId: string;
  cookie: string;
}

/** A player with credits, whose session is opened without the work of checking a password. */
export async function enterPlayer(
  { url, dataDir }: Pick<Site, "url" | "dataDir">,
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

/** The status of a posted form; its body is read, so that the connection is free again. */
export async function post(
  url: string,
  path: string,
  cookie: string,
  form: Record<string, string>,
): Promise<number> {
  const response = await fetch(url + path, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookie },
    body: new URLSearchParams(form),
  });
  await response.text();
  return response.status;
}

/** Published games in the next months, without players. */
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
