import { helsinkiDate, formatMoment, monthDayYear } from "#app/platform/clock.ts";
import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { JobHandlers } from "#app/platform/jobs.server.ts";
import type { Mailer } from "#app/platform/mail.server.ts";
import {
  answerMail,
  withdrawalRejectedMail,
  reviewMail,
  supportMessageMail,
  ticketReplyMail,
  withdrawalCancelledMail,
  withdrawalEndedMail,
  withdrawalMail,
} from "./emails.tsx";
import { replyAddress } from "./replies.server.ts";
import { refundTask } from "./rules.ts";
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
      if (reader === "contact") {
        const mail = await withdrawalEndedMail(env, { ...statement, outcome });
        await mailer({ ...mail, to: env.contactEmail, replyTo: email, key });
      } else if (outcome === "taken_back") {
        const mail = await withdrawalCancelledMail(env, statement);
        await mailer({ ...mail, to: email, replyTo: env.contactEmail, key });
      } else if (reason) {
        const mail = await withdrawalRejectedMail(env, { ...statement, reason });
        await mailer({ ...mail, to: email, replyTo: env.contactEmail, key });
      }
    },
    async "mail.answer"({ answerId }) {
      const answer = await findAnswer(db, answerId);
      if (!answer) return;
      const mail = await answerMail(env, answer);
      const { supportReplies, contactEmail } = env;
      const replyTo = supportReplies
        ? replyAddress(supportReplies, answer.replyToken)
        : contactEmail;
      await mailer({ ...mail, to: answer.email, replyTo, key: `answer:${answerId}` });
    },
    async "mail.ticket-reply"({ replyId }) {
      const reply = await findReply(db, replyId);
      if (!reply) return;
      const mail = await ticketReplyMail(env, reply, reply);
      const key = `ticket-reply:${replyId}`;
      await mailer({ ...mail, to: env.contactEmail, replyTo: reply.email, key });
    },
  } satisfies Partial<JobHandlers>;
}

const SENDER = [
  "profiles.first_name as firstName",
  "profiles.last_name as lastName",
  "profiles.email",
] as const;

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

async function findAnswer(db: Db, id: string) {
  const row = await db
    .selectFrom("letter_answers")
    .leftJoin("support_messages", "support_messages.id", "message_id")
    .leftJoin("reviews", "reviews.id", "review_id")
    .innerJoin("profiles", (join) => join.on(WRITER))
    .leftJoinLateral(
      // What it answers where the player has replied to an earlier answer.
      (eb) =>
        eb
          .selectFrom("ticket_replies")
          .innerJoin("letter_answers as earlier", "earlier.id", "answer_id")
          .select(["body", "ticket_replies.created_at as repliedAt"])
          .where((on) =>
            on.or([
              on("earlier.message_id", "=", on.ref("letter_answers.message_id")),
              on("earlier.review_id", "=", on.ref("letter_answers.review_id")),
            ]),
          )
          .whereRef("ticket_replies.created_at", "<", "letter_answers.answered_at")
          .orderBy("ticket_replies.created_at", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .select(SENDER)
    .select((eb) => [
      "answer",
      "subject",
      "reply_token as replyToken",
      eb.fn.coalesce("body", "message", "comment").as("original"),
      eb.fn
        .coalesce("repliedAt", "support_messages.created_at", "reviews.created_at")
        .as("writtenAt"),
    ])
    .where("letter_answers.id", "=", id)
    .executeTakeFirst();
  return row && { ...row, writtenOn: monthDayYear(helsinkiDate(row.writtenAt!)) };
}

async function findReply(db: Db, id: string) {
  return db
    .selectFrom("ticket_replies as reply")
    .innerJoin("letter_answers", "letter_answers.id", "answer_id")
    .leftJoin("support_messages", "support_messages.id", "message_id")
    .leftJoin("reviews", "reviews.id", "review_id")
    .innerJoin("profiles", (join) => join.on(WRITER))
    .select(SENDER)
    .select(["reply.body", "sent_from as sentFrom", "subject"])
    .select(sql<string>`coalesce(message_id, review_id)`.as("ticketId"))
    .where("reply.id", "=", id)
    .executeTakeFirst();
}

const WRITER = sql<boolean>`profiles.user_id = coalesce(support_messages.user_id, reviews.user_id)`;

async function findStatement(db: Db, id: string) {
  const row = await selectWithdrawals(db)
    .innerJoin("profiles", "profiles.user_id", "withdrawals.user_id")
    .select(SENDER)
    .select(["stripe_object_id as reference", "stated_at", "outcome", "refusal_reason"])
    .where("withdrawals.id", "=", id)
    .executeTakeFirst();
  return row && { ...row, statedAt: formatMoment(row.stated_at) };
}
