import { randomUUID } from "node:crypto";
import { listEarlierTickets, listNextTickets } from "#app/features/bookings/bookings.server.ts";
import { findPlayerRecord } from "#app/features/players/profiles.server.ts";
import { listEntries } from "#app/features/wallet/statement.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { showEntry } from "#app/routes/wallet/wallet-view.server.ts";
import { showBooking, showRecord } from "./player-words.ts";

const ENTRIES = 50;
const EARLIER = 20;

/** All that the page of a player shows; null where there is no such player. */
export async function loadPlayerPage(
  { db, now }: App,
  playerId: string | undefined,
  before: number | undefined,
) {
  const record = await findPlayerRecord(db, playerId);
  if (!record) return null;
  const who = { playerId: record.id, now: now() };
  const [entries, next, earlier] = await Promise.all([
    listEntries(db, { userId: record.id, before, limit: ENTRIES + 1 }),
    listNextTickets(db, who),
    listEarlierTickets(db, { ...who, limit: EARLIER + 1 }),
  ]);
  const shown = entries.slice(0, ENTRIES);
  return {
    player: showRecord(record),
    next: next.map(showBooking),
    earlier: earlier.slice(0, EARLIER).map(showBooking),
    hasMoreEarlier: earlier.length > EARLIER,
    entries: shown.map(showEntry),
    olderBefore: entries.length > ENTRIES ? shown.at(-1)!.seq : null,
    hasNewer: before !== undefined,
    /** Of the form that corrects the balance. */
    correctionKey: randomUUID(),
  };
}
export type PlayerPage = NonNullable<Awaited<ReturnType<typeof loadPlayerPage>>>;
