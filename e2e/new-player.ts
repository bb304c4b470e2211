import { randomUUID } from "node:crypto";
import { addGame } from "../db/insert.ts";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { slotsOfThisMonth } from "../db/demo/past.ts";
import { insertPlayer } from "#app/features/players/profiles.server.ts";

/** A player of a test's own, with the demo's password; answers what stands before the @. */
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
  const { who, userId: user_id } = await addPlayer(db);
  const grant = { reason: "Welcome", actor: "command", key: randomUUID(), amountCents: 2_000 };
  await correctBalance(db, { ...grant, userId: user_id });
  const venue = db.selectFrom("venues").select("id").limit(1);
  const { id: venue_id } = await venue.executeTakeFirstOrThrow();
  for (const slot of slotsOfThisMonth(new Date())) {
    const game = { title: "Futsal", status: "Published" as const, max_players: 4, venue_id };
    const game_id = await addGame(db, { ...game, ...slot });
    const booking = { user_id, game_id, payment_status: "Paid" as const, price_eur: "0" };
    await db.insertInto("bookings").values(booking).execute();
  }
  return who;
}
