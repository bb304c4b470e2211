import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { aGame, aPlayer, aVenue } from "#test/fixtures.ts";
import type { Stage } from "./stage.ts";

export interface Person {
  userId: string;
  email: string;
  cookie: string;
}

/** Signed in, with so many credits. */
export async function aPerson(stage: Stage, credits = 0): Promise<Person> {
  const { db } = stage.database;
  const userId = await aPlayer(db, { credits });
  const profile = db.selectFrom("profiles").select("email").where("user_id", "=", userId);
  const { email } = await profile.executeTakeFirstOrThrow();
  return { userId, email, cookie: await stage.cookieOf(userId) };
}

export async function anOrganiser(stage: Stage): Promise<Person> {
  const person = await aPerson(stage);
  await makeAdmin(stage.database.db, person.email, "command");
  return person;
}

/** In five days. */
export async function aComingGame({ database: { db } }: Stage): Promise<string> {
  const date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  return aGame(db, { date, venue_id: await aVenue(db) });
}

export const joinGame = (stage: Stage, { cookie }: Person, gameId: string) =>
  stage.post(`/events/${gameId}`, cookie, { intent: "join", priceShown: "10" });
