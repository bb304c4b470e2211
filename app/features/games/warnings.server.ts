import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import { lockVenues } from "#app/features/venues/venues.server.ts";
import type { GamePlan } from "./plan.ts";
import { durationMinutes } from "./rules.ts";
import { instantsOf, missingTime, type Slot } from "./time-slots.ts";

export interface OtherGame extends Slot {
  id: string;
  title: string;
  status: GameStatus;
}

export type Warning =
  | { about: "overlap"; game: Slot; others: OtherGame[] }
  | { about: "long"; dates: string[]; minutes: number }
  | { about: "far"; dates: string[] };

/** The key of what the form has shown; true without a form, where nobody is asked. */
export type Confirmed = string | boolean | undefined;

export interface Planned {
  id: string;
  plan: GamePlan;
}

export const LONG_MINUTES = 240;
export const FAR_DAYS = 56;

/** Locks the venues, so that of two who plan the same hour the second is asked. After the games. */
export async function listWarnings(tx: Tx, planned: Planned[], now: Date): Promise<Warning[]> {
  const venueIds = new Set(planned.map(({ plan }) => plan.venueId));
  await lockVenues(tx, [...venueIds]);
  const warnings: Warning[] = await listOverlaps(tx, planned);
  const lengths = planned.map(({ plan }) => durationMinutes(instantsOf(plan)));
  const dates = planned.map(({ plan }) => plan.date);
  const long = dates.filter((_, n) => lengths[n]! > LONG_MINUTES);
  if (long.length > 0) warnings.push({ about: "long", dates: long, minutes: Math.max(...lengths) });
  const last = addDays(helsinkiDate(now), FAR_DAYS);
  const far = dates.filter((date) => date > last);
  if (far.length > 0) warnings.push({ about: "far", dates: far });
  return warnings;
}

export async function findFreeDate(db: Db, plan: GamePlan, dates: string[]) {
  const plans = dates.map((date) => ({ ...plan, date })).filter((slot) => !missingTime(slot));
  const overlaps = await listOverlaps(
    db,
    plans.map((slot) => ({ id: randomUUID(), plan: slot })),
  );
  const taken = overlaps.map(({ game }) => game.date);
  return plans.find(({ date }) => !taken.includes(date))?.date ?? null;
}

/** Identifies what was shown, so that a confirmation is for nothing else. */
export function confirmationKey(shown: unknown): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
}

export const isConfirmed = (confirmed: Confirmed, key: string) =>
  confirmed === true || confirmed === key;

type Overlap = Extract<Warning, { about: "overlap" }>;

/** Compares them with each other too: games of a series can be moved onto one another. */
async function listOverlaps(db: Db, planned: Planned[]): Promise<Overlap[]> {
  const stored = await listStored(db, planned);
  return planned.flatMap(({ id, plan }) => {
    const own = instantsOf(plan);
    const beside = planned.filter(
      (other) => other.id !== id && other.plan.venueId === plan.venueId,
    );
    const others = [
      ...stored.filter(({ plannedId }) => plannedId === id).map(toOtherGame),
      ...beside.map(toPlannedOther).filter((other) => overlaps(own, instantsOf(other))),
    ];
    const { date, startTime, endTime } = plan;
    return others.length > 0
      ? [{ about: "overlap" as const, game: { date, startTime, endTime }, others }]
      : [];
  });
}

type Stored = OtherGame & { plannedId: string };

// No game lasts a day, so this bound on the start lets the index be used.
async function listStored(db: Db, planned: Planned[]): Promise<Stored[]> {
  const ids = planned.map(({ id }) => id);
  const venueIds = planned.map(({ plan }) => plan.venueId);
  const instants = planned.map(({ plan }) => instantsOf(plan));
  const starts = instants.map(({ startsAt }) => startsAt.toISOString());
  const ends = instants.map(({ endsAt }) => endsAt.toISOString());
  const { rows } = await sql<Stored>`
    select planned.id as "plannedId", other.id, title, date, status,
      to_char(start_time, 'HH24:MI') as "startTime", to_char(end_time, 'HH24:MI') as "endTime"
    from unnest(${ids}::uuid[], ${venueIds}::uuid[], ${starts}::timestamptz[], ${ends}::timestamptz[])
      as planned (id, venue_id, starts_at, ends_at)
    cross join unnest(array['Draft', 'Published']) as wanted (status_wanted)
    join games other on other.venue_id = planned.venue_id and other.status = status_wanted
      and other.starts_at < planned.ends_at and other.ends_at > planned.starts_at
      and other.starts_at > planned.starts_at - interval '25 hours'
    where other.id <> all(${ids}::uuid[])
    order by other.starts_at, other.id`.execute(db);
  return rows;
}

function toOtherGame(stored: Stored): OtherGame {
  const { id, title, date, startTime, endTime, status } = stored;
  return { id, title, date, startTime, endTime, status };
}

function toPlannedOther({ id, plan }: Planned): OtherGame {
  const { title, date, startTime, endTime } = plan;
  return { id, title, date, startTime, endTime, status: "Draft" };
}

type Instants = ReturnType<typeof instantsOf>;

const overlaps = (one: Instants, other: Instants) =>
  one.startsAt < other.endsAt && other.startsAt < one.endsAt;
