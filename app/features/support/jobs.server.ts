import { formatMoment } from "#app/platform/clock.ts";
import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import { composeAnswer, SENDER, WRITER } from "./answer-mail.server.ts";
import {
  withdrawalRejectedMail,
  reviewMail,
  supportMessageMail,
  ticketReplyMail,
  withdrawalCancelledMail,
  withdrawalEndedMail,
  withdrawalMail,
} from "./emails.tsx";
import { refundTask } from "./rules.ts";
import { listThread } from "./tickets.server.ts";
import { selectWithdrawals } from "./withdrawals.server.ts";

declare module "#app/platform/jobs.server.ts" {
  interface JobData {
    "mail.support-message": { messageId: string };
    "mail.review": { reviewId: string };
    "mail.withdrawal": { withdrawalId: string };
    /** Without `to` (a job of an earlier version): to the side that did not end it. */
    "mail.withdrawal-ended": { withdrawalId: string; to?: "player" | "contact" };
    "mail.answer": { answerId: string };
    "mail.ticket-reply": { replyId: string };
  }
}

interface Tools {
  env: Env;
  db: Db;
  mailer: Mailer;
}

/** Sends nothing that was deleted meanwhile. A repeated job sends under the same key. */
export function supportJobs({ env, db, mailer }: Tools) {
  return {
    async "mail.support-message"({ messageId }) {
      const message = await findMessage(db, messageId);
      if (!message) return;
      const mail = await supportMessageMail(env, message, message);
      const key = `support-message:${messageId}`;
      await mailer({ ...mail, to: env.contactEmail, replyTo: message.email, key });
    },
    async "mail.review"({ reviewId }) {
      const review = await findReview(db, reviewId);
      if (!review) return;
      const mail = await reviewMail(env, review, review);
      const key = `review:${reviewId}`;
      await mailer({ ...mail, to: env.contactEmail, replyTo: review.email, key });
    },
    async "mail.withdrawal"({ withdrawalId }) {
      const statement = await findStatement(db, withdrawalId);
      if (!statement) return;
      const mail = await withdrawalMail(env, statement);
      await mailer({ ...mail, to: statement.email, key: `withdrawal:${withdrawalId}` });
    },
    async "mail.withdrawal-ended"({ withdrawalId, to }) {
      const statement = await findStatement(db, withdrawalId);
      if (!statement?.outcome) return;
      const { outcome, email, refusal_reason: reason } = statement;
      const reader = to ?? (outcome === "refused" ? "player" : "contact");
      const key = `withdrawal-ended:${withdrawalId}:${reader}`;
      const toPlayer = {
        to: email,
        replyTo: env.contactEmail,
        thread: [`withdrawal:${withdrawalId}`],
      };
      if (reader === "contact") {
        const mail = await withdrawalEndedMail(env, { ...statement, outcome });
        await mailer({ ...mail, to: env.contactEmail, replyTo: email, key });
      } else if (outcome === "taken_back") {
        const mail = await withdrawalCancelledMail(env, statement);
        await mailer({ ...mail, ...toPlayer, key });
      } else if (reason) {
        const mail = await withdrawalRejectedMail(env, { ...statement, reason });
        await mailer({ ...mail, ...toPlayer, key });
      }
    },
    async "mail.answer"({ answerId }) {
      const mail = await composeAnswer(db, env, answerId);
      if (mail) await mailer(mail);
    },
    async "mail.ticket-reply"({ replyId }) {
      const reply = await findReply(db, replyId);
      if (!reply) return;
      const mail = await ticketReplyMail(env, reply, reply);
      const key = `ticket-reply:${replyId}`;
      const { email: replyTo, thread } = reply;
      await mailer({ ...mail, to: env.contactEmail, replyTo, key, thread });
    },
  } satisfies Partial<JobHandlers>;
}

async function findMessage(db: Db, id: string) {
  const row = await db
    .selectFrom("support_messages")
    .innerJoin("profiles", "profiles.user_id", "support_messages.user_id")
    .leftJoin("withdrawals", "withdrawals.id", "withdrawal_id")
    .leftJoin("payments", "payments.id", "withdrawals.payment_id")
    .select(SENDER)
    .select(["subject", "message", "withdrawal_id", "outcome"])
    .select("stripe_object_id as paymentNumber")
    .select([
      inCents("withdrawals.amount_eur").as("refundCents"),
      sql<boolean>`subscription_id is not null`.as("isMonthly"),
    ])
    .where("support_messages.id", "=", id)
    .executeTakeFirst();
  if (!row?.withdrawal_id || row.outcome) return row;
  return {
    ...row,
    message: `${row.message}\nPayment number: ${row.paymentNumber}\n${refundTask(row)}`,
  };
}

function findReview(db: Db, id: string) {
  return db
    .selectFrom("reviews")
    .innerJoin("profiles", "profiles.user_id", "reviews.user_id")
    .select(SENDER)
    .select(["rating", "comment"])
    .where("reviews.id", "=", id)
    .executeTakeFirst();
}

async function findReply(db: Db, id: string) {
  const row = await db
    .selectFrom("ticket_replies as reply")
    .innerJoin("letter_answers", "letter_answers.id", "answer_id")
    .leftJoin("support_messages", "support_messages.id", "message_id")
    .leftJoin("reviews", "reviews.id", "review_id")
    .innerJoin("profiles", (join) => join.on(WRITER))
    .select(SENDER)
    .select(["reply.body", "sent_from as sentFrom", "subject"])
    .select(["message_id", "reply.created_at as repliedAt"])
    .select(sql<string>`coalesce(message_id, review_id)`.as("ticketId"))
    .where("reply.id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  const first = `${row.message_id ? "support-message" : "review"}:${row.ticketId}`;
  const replies = (await listThread(db, row.ticketId)).filter(({ by }) => by === null);
  const earlier = replies.filter(({ at }) => at < row.repliedAt);
  return { ...row, thread: [first, ...earlier.map((reply) => `ticket-reply:${reply.id}`)] };
}

async function findStatement(db: Db, id: string) {
  const row = await selectWithdrawals(db)
    .innerJoin("profiles", "profiles.user_id", "withdrawals.user_id")
    .select(SENDER)
    .select(["stripe_object_id as reference", "stated_at", "outcome", "refusal_reason"])
    .where("withdrawals.id", "=", id)
    .executeTakeFirst();
  return row && { ...row, statedAt: formatMoment(row.stated_at) };
}
