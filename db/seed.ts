import { sql } from "kysely";
import type pg from "pg";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { addPartner } from "#app/features/partners/partners.server.ts";
import { addVenue } from "./insert.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { LOCKS } from "#app/platform/postgres/session-locks.server.ts";
import { discardWaitingJobs, type Jobs } from "#app/platform/jobs.server.ts";
import { allOrNothing } from "#app/platform/postgres/outer-transaction.server.ts";
import { stageGames } from "./demo/games.ts";
import { PARTNERS } from "./demo/partners.ts";
import { CAST, DEMO_PASSWORD, emailOf, OTHERS } from "./demo/people.ts";
import { DEMO_VENUES, type VenueSlug } from "./demo/venues.ts";
import { makeAdmin } from "#app/features/accounts/account-status.server.ts";
import { insertPlayer } from "#app/features/players/profiles.server.ts";
import { topUp } from "#app/features/wallet/ledger.server.ts";

/** What the start prints, so that it need not be looked up. */
export const DEMO_ACCOUNTS = [...CAST.map(emailOf), `password of all: ${DEMO_PASSWORD}`];

interface SeedDependencies {
  pool: pg.Pool;
  jobs: Jobs;
  accounts: Pick<Accounts, "hashPassword">;
  now: Date;
}

/**
 * Fills an empty database with the demo data, all or nothing; one that has accounts is left
 * alone. Returns whether it did. Everything goes through the features, so it obeys their rules.
 */
export async function seedDemoData({
  pool,
  jobs,
  accounts,
  now,
}: SeedDependencies): Promise<boolean> {
  return allOrNothing(pool, async (db) => {
    await sql`select pg_advisory_xact_lock(${LOCKS["demo data"]})`.execute(db);
    if (await db.selectFrom("users").select("id").limit(1).executeTakeFirst()) return false;
    const ids = await addPeople(db, now, await accounts.hashPassword(DEMO_PASSWORD));
    const venueIds = await addVenues(db);
    const otherIds = OTHERS.map(({ key }) => ids[key]!);
    await stageGames({ db, jobs, now, venueIds, playerId: ids.player!, otherIds });
    for (const partner of PARTNERS) await addPartner(db, partner);
    // No mails are sent about staged bookings.
    await discardWaitingJobs(db);
    return true;
  });
}

async function addPeople(db: Db, now: Date, passwordHash: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [index, person] of [...CAST, ...OTHERS].entries()) {
    const userId = await db.transaction().execute((tx) =>
      insertPlayer(tx, {
        email: emailOf(person),
        firstName: person.firstName,
        lastName: person.lastName,
        passwordHash,
        dateOfBirth: `${1998 + (index % 8)}-0${1 + (index % 9)}-1${index % 10}`,
        schoolYear: index % 3 === 0 ? "Master" : "Bachelor",
        major: MAJORS[index % MAJORS.length]!,
        phone: null,
      }),
    );
    ids[person.key] = userId!;
    const opened = { created_at: openedAt(now, index) };
    await db.updateTable("users").set(opened).where("id", "=", userId!).execute();
    await db.updateTable("profiles").set(opened).where("user_id", "=", userId!).execute();
    for (const [turn, credits] of creditsOf(person.key).entries()) {
      const key = `demo-${person.key}-${turn}`;
      const at = boughtAt(now, index, turn);
      await topUp(db, { userId: userId!, amountCents: credits * 100, key, at });
    }
  }
  await makeAdmin(db, emailOf(CAST[0]!), "command");
  await db
    .updateTable("profiles")
    .set({ position: "MID", sports_interests: ["Football", "Futsal"] })
    .set({ nationality: "Finland", nationality_code: "FI" })
    .where("user_id", "=", ids.player!)
    .execute();
  return ids;
}

const MAJORS = ["Computer Science", "Economics", "Biology", "Architecture", "History", "Physics"];

/** Bought before the staged games are paid: the player ends with 100, the admin has 30. */
function creditsOf(key: string): number[] {
  if (key === "broke") return [];
  if (key === "admin") return [30];
  return key === "player" ? [40, 140] : [120];
}

/** Before the first staged game could be joined, at another minute for each purchase. */
function boughtAt(now: Date, index: number, turn: number): Date {
  const day = addDays(`${helsinkiDate(now).slice(0, 8)}01`, 6 * turn - 22);
  const time = (8 * 60 + index * 17 + turn * 29) * 60_000;
  return new Date(Date.parse(`${day}T00:00:00Z`) + time);
}

/** Before anything was bought, one after the other over three months. */
function openedAt(now: Date, index: number): Date {
  return new Date(boughtAt(now, index, 0).getTime() - (1 + 3 * index) * 86_400_000);
}

async function addVenues(db: Db): Promise<Map<VenueSlug, string>> {
  const ids = new Map<VenueSlug, string>();
  for (const { slug, venue } of DEMO_VENUES) ids.set(slug, await addVenue(db, venue));
  return ids;
}
