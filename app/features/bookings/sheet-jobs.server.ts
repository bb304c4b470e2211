import type { Db } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import { findBookingFacts } from "./jobs.server.ts";
import { addedToGameMail, gameMessageMail, removedFromGameMail } from "./sheet-emails.tsx";

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
}
type SheetQueue = "mail.added-to-game" | "mail.removed-from-game" | "mail.game-message";

/** The mails from a game's sheet. Repeating one sends it again under the same key. */
export function sheetJobs({ env, db, mailer }: Tools): Pick<JobHandlers, SheetQueue> {
  return {
    async "mail.added-to-game"({ bookingId }) {
      const booking = await findBookingFacts(db, bookingId);
      // Taken off again before anybody was told.
      if (!booking?.isLive) return;
      const mail = await addedToGameMail(env, booking.news);
      await mailer({ ...mail, to: booking.email, key: `added-to-game:${bookingId}` });
    },
    async "mail.removed-from-game"({ bookingId }) {
      const booking = await findBookingFacts(db, bookingId);
      if (!booking) return;
      const mail = await removedFromGameMail(env, {
        ...booking.news,
        cents: booking.refundedCents,
      });
      await mailer({ ...mail, to: booking.email, key: `removed-from-game:${bookingId}` });
    },
    async "mail.game-message"({ messageId, bookingId }) {
      const booking = await findBookingFacts(db, bookingId);
      const words = await findMessage(db, messageId);
      if (!booking || !words) return;
      const mail = await gameMessageMail(env, { ...booking.news, ...words });
      const key = `game-message:${messageId}:${bookingId}`;
      await mailer({ ...mail, to: booking.email, replyTo: env.contactEmail, key });
    },
  };
}

function findMessage(db: Db, messageId: string) {
  return db
    .selectFrom("game_messages")
    .select(["subject", "message"])
    .where("id", "=", messageId)
    .executeTakeFirst();
}
