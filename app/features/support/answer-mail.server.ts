import { sql } from "kysely";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Env, SupportReplies } from "#app/platform/env.server.ts";
import type { Email } from "#app/platform/notices.ts";
import { startsWithGreeting } from "./rules.ts";
import { listThread } from "./tickets.server.ts";

/** The address to which an answer is replied: `support+TOKEN@…`. */
export function replyAddress({ address }: SupportReplies, token: string): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at)}+${token}${address.slice(at)}`;
}

export type AnswerSite = Pick<Env, "appUrl" | "brandName" | "contactEmail" | "supportReplies">;

/** The email of an answer, the same each time; null if it is deleted. */
export async function composeAnswer(db: Db, site: AnswerSite, id: string) {
  const answer = await findAnswer(db, id);
  if (!answer) return null;
  const entries = await listThread(db, answer.ticketId!);
  const earlier = entries.filter(({ at }) => at < answer.answeredAt);
  const thread = earlier.flatMap((entry) =>
    entry.by === null ? (entry.mailId ?? []) : `answer:${entry.id}`,
  );
  const { supportReplies, contactEmail } = site;
  const replyTo = supportReplies ? replyAddress(supportReplies, answer.replyToken) : contactEmail;
  return { email: answer.email, content: { ...answerMail(answer, earlier), replyTo, thread } };
}

function answerMail(answer: Answer, earlier: unknown[]): Email {
  const { firstName, subject, original, writtenOn, answer: text } = answer;
  const line = subject ?? "Your review";
  return {
    // "Re:" is of an email that refers to another one.
    subject: earlier.length === 0 ? line : `Re: ${line}`,
    title: `About ${subject ? `“${subject}”` : "your review"}`,
    preview: `An answer to what you wrote on ${writtenOn}`,
    footer: "You can reply to this email.",
    text: [
      !startsWithGreeting(text) && `Hi ${firstName},`,
      text,
      original && `You wrote on ${writtenOn}:\n${original}`,
    ],
  };
}

type Answer = NonNullable<Awaited<ReturnType<typeof findAnswer>>>;

export const SENDER = [
  "profiles.first_name as firstName",
  "profiles.last_name as lastName",
  "profiles.email",
] as const;

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
      "answered_at as answeredAt",
      eb.fn.coalesce("message_id", "review_id").as("ticketId"),
      eb.fn.coalesce("body", "message", "comment").as("original"),
      eb.fn
        .coalesce("repliedAt", "support_messages.created_at", "reviews.created_at")
        .as("writtenAt"),
    ])
    .where("letter_answers.id", "=", id)
    .executeTakeFirst();
  return row && { ...row, writtenOn: monthDayYear(helsinkiDate(row.writtenAt!)) };
}

export const WRITER = sql<boolean>`profiles.user_id = coalesce(support_messages.user_id, reviews.user_id)`;
