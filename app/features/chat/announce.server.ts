import type { Tx } from "#app/platform/db.server.ts";
import { markFirstGame } from "#app/features/players/profiles.server.ts";
import { appendMessage } from "./messages.server.ts";
import { firstGameText } from "./rules.ts";

/** Only in a player's first game of all. A join locks the chat last, as others write meanwhile. */
export async function announceFirstGame(
  tx: Tx,
  { bookingId, now }: { bookingId: string; now: Date },
): Promise<void> {
  const booking = await tx
    .selectFrom("bookings")
    .select(["user_id as userId", "game_id as gameId"])
    .where("id", "=", bookingId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("bookings as other")
            .select("other.id")
            .whereRef("other.user_id", "=", "bookings.user_id")
            .where("other.id", "!=", bookingId),
        ),
      ),
    )
    .executeTakeFirst();
  const firstName = booking && (await markFirstGame(tx, booking.userId));
  if (!firstName) return;
  const body = firstGameText(firstName);
  await appendMessage(tx, { ...booking, kind: "FirstGame", body, createdAt: now });
}

interface Announcement {
  gameId: string;
  actorId: string;
  subject: string;
  message: string;
  isPinned: boolean;
  now: Date;
}

export async function announceMessage(tx: Tx, announcement: Announcement): Promise<void> {
  const { gameId, actorId: userId, subject, message, isPinned, now } = announcement;
  const body = `${subject}\n${message}`;
  const pinnedAt = isPinned ? now : null;
  await appendMessage(tx, {
    ...{ gameId, userId, kind: "Announcement", body },
    ...{ createdAt: now, pinnedAt },
  });
}
