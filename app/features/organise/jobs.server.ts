import {
  findBookingFacts,
  type BookingFacts,
} from "#app/features/bookings/booking-facts.server.ts";
import {
  type BookingJob,
  bookingMails,
  type ComposeMail,
  type MailTools,
} from "#app/features/bookings/jobs.server.ts";
import { describeChange, type GameFacts } from "#app/features/games/describe-change.server.ts";
import { switchableMail } from "#app/features/notifications/settings.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import { findCalledOff, findDecisionToWarnOf } from "./decide-games.server.ts";
import {
  calledOffMail,
  decisionSoonMail,
  playedAnywayMail,
  tooFewPlayersMail,
} from "./decision-emails.tsx";
import { gameCancelledMail, gameChangedMail, gameMessageMail } from "./emails.tsx";
import { listOtherGames } from "./other-games.server.ts";

interface OrganiserMails {
  "mail.game-cancelled": BookingJob & { messageId?: string };
  /** The game before and after: it may change again before anybody reads it. */
  "mail.game-changed": { bookingId: string; version: number; before: GameFacts; after: GameFacts };
  "mail.played-anyway": { bookingId: string; version: number };
  "mail.called-off": { gameId: string; players: number };
  /** A decision that has been moved is warned of again. */
  "mail.too-few-players": { gameId: string; decidesAt: string };
  "mail.game-message": { messageId: string; bookingId: string };
}

declare module "#app/platform/jobs.server.ts" {
  interface JobData extends OrganiserMails {}
}

/** Emails about what happens to a whole game. */
export function organiserJobs(tools: MailTools): Pick<JobHandlers, keyof OrganiserMails> {
  const { env, db, mailer, now } = tools;
  const { send, sendIfIn, withCalendar } = bookingMails(tools);
  return {
    "mail.game-changed": async ({ version, before, after, ...job }) => {
      const changes = await describeChange(db, before, after);
      const compose: ComposeMail = (site, booking) =>
        switchableMail(tools, { ...booking, kind: "game-changed" }, (unsubscribe) =>
          gameChangedMail(site, booking, { changes, unsubscribe }),
        );
      await sendIfIn(`game-changed:${version}`, withCalendar(compose))(job);
    },
    "mail.played-anyway": async ({ version, ...job }) => {
      const compose: ComposeMail = async (site, { userId }) => {
        // As it is now: the time to leave may be over.
        const booking = await findBookingFacts(db, job.bookingId, now());
        if (!booking?.isPlayedAnyway) return null;
        return switchableMail(tools, { userId, kind: "game-changed" }, (unsubscribe) =>
          playedAnywayMail(site, { ...booking, isFreeSessionBack: false }, unsubscribe),
        );
      };
      await sendIfIn(`played-anyway:${version}`, compose)(job);
    },
    "mail.game-cancelled": async ({ messageId, ...job }) => {
      const message = messageId ? ((await findMessage(db, messageId))?.message ?? null) : null;
      const compose: ComposeMail = async (site, booking) => {
        const { gameId, userId: playerId, missedMinimum } = booking;
        if (missedMinimum === null) return gameCancelledMail(site, { ...booking, message });
        const others = await listOtherGames(db, { gameId, playerId, now: now() });
        return tooFewPlayersMail(site, { ...booking, missedMinimum }, others);
      };
      await send("game-cancelled", withCalendar(compose))(job);
    },
    "mail.called-off": async ({ gameId, players }) => {
      const game = await findCalledOff(db, gameId, now());
      const content = game && (await calledOffMail(env, { ...game, players }));
      if (content) await mailer({ ...content, to: env.contactEmail, key: `called-off:${gameId}` });
    },
    "mail.too-few-players": async (job) => {
      const game = await findDecisionToWarnOf(db, job, now());
      const content = game && (await decisionSoonMail(env, game));
      const key = `too-few-players:${job.gameId}:${job.decidesAt}`;
      if (content) await mailer({ ...content, to: env.contactEmail, key });
    },
    "mail.game-message": ({ messageId, ...job }) =>
      send(`game-message:${messageId}`, async (site, booking) => {
        const message = await findMessage(db, messageId);
        if (!message || !isReached(booking, message)) return null;
        const mail = await gameMessageMail(site, booking, message);
        return { ...mail, replyTo: env.contactEmail };
      })(job),
  };
}

function findMessage(db: Db, messageId: string) {
  return db
    .selectFrom("game_messages")
    .select(["subject", "message", "sent_at as sentAt"])
    .where("id", "=", messageId)
    .executeTakeFirst();
}

/** In the game, or sent to its former players since it was cancelled. */
function isReached(booking: BookingFacts, { sentAt }: { sentAt: Date }): boolean {
  const { isIn, isGameCancelled, cancelledAt } = booking;
  return isIn || (isGameCancelled && cancelledAt !== null && sentAt >= cancelledAt);
}
