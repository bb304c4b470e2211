import { sql } from "kysely";
import { emailLink } from "#app/features/accounts/email-link.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { creditsText, euros } from "#app/platform/money.ts";
import { defineNotice, type Email } from "#app/platform/notices.ts";
import { composeAnswer, SENDER, WRITER } from "./answer-mail.server.ts";
import { RATINGS, refundTask } from "./rules.ts";
import { listThread } from "./tickets.server.ts";
import { selectWithdrawals } from "./withdrawals.server.ts";

interface Sender {
  firstName: string;
  lastName: string;
  email: string;
}

/** To the contact address; a reply goes to the player. */
const toContact = <Row extends Sender>({ email: replyTo, ...row }: Row, { contactEmail }: Env) => ({
  ...row,
  email: contactEmail,
  replyTo,
});

type FromPlayer = Omit<Email, "preview" | "text"> & { body: string };

function contactMail(from: Sender & { replyTo: string }, { body, ...email }: FromPlayer): Email {
  const name = `${from.firstName} ${from.lastName}`;
  return {
    ...email,
    preview: `From ${name}`,
    footer: "A reply to this email goes to the player.",
    text: [`From ${name}, ${from.replyTo}`, body],
    replyTo: from.replyTo,
  };
}

const supportMessage = defineNotice({
  kind: "support-message",
  label: "Support message, to the contact address",
  async facts({ messageId }: { messageId: string }, { db, env }) {
    const message = await findMessage(db, messageId);
    return message && toContact(message, env);
  },
  key: ({ messageId }) => `support-message:${messageId}`,
  email: ({ subject, message: body, ...from }) =>
    contactMail(from, { subject: `Support: ${subject}`, title: subject, body }),
});

const review = defineNotice({
  kind: "review",
  label: "Review, to the contact address",
  async facts({ reviewId }: { reviewId: string }, { db, env }) {
    const row = await findReview(db, reviewId);
    return row && toContact(row, env);
  },
  key: ({ reviewId }) => `review:${reviewId}`,
  email: ({ rating, comment, ...from }) => {
    const stars = `${rating} of ${RATINGS.length}`;
    const title = `${stars}: ${RATINGS[rating - 1]}`;
    return contactMail(from, {
      subject: `Review: ${stars}`,
      title,
      body: comment || "No comment.",
    });
  },
});

const answer = defineNotice({
  kind: "answer",
  label: "Answer from the inbox",
  facts: ({ answerId }: { answerId: string }, { db, env }) => composeAnswer(db, env, answerId),
  key: ({ answerId }) => `answer:${answerId}`,
  email: ({ content }) => content,
});

const ticketReply = defineNotice({
  kind: "ticket-reply",
  label: "Reply to an answer, to the contact address",
  async facts({ replyId }: { replyId: string }, { db, env }) {
    const row = await findReply(db, replyId);
    return row && toContact(row, env);
  },
  key: ({ replyId }) => `ticket-reply:${replyId}`,
  email({ ticketId, subject, body, sentFrom, thread, ...from }, { appUrl }) {
    const about = subject ?? "your review";
    return contactMail(from, {
      subject: `Reply: ${about}`,
      title: about,
      body: `${body}${sentFrom ? `\n\n(Sent from ${sentFrom}.)` : ""}`,
      action: { label: "Open the thread", href: `${appUrl}/admin/inbox/${ticketId}` },
      thread,
    });
  },
});

const seeWithdrawals = (site: Env) => ({
  label: "See your withdrawals",
  href: emailLink(site, "/settings/withdraw"),
});

/** The acknowledgement required by law: what was stated, when, and what happens next. */
const withdrawal = defineNotice({
  kind: "withdrawal",
  label: "Withdrawal received",
  facts: ({ withdrawalId }: { withdrawalId: string }, { db }) => findStatement(db, withdrawalId),
  key: ({ withdrawalId }) => `withdrawal:${withdrawalId}`,
  email({ firstName, packName, reference, statedAt, creditsCents, refundCents }, site) {
    const refund = euros(refundCents);
    return {
      subject: `We received your withdrawal: ${packName}`,
      title: "We received your withdrawal",
      preview: `${refund} will be refunded.`,
      action: seeWithdrawals(site),
      footer: `Keep this email as your receipt. Questions: ${site.contactEmail}`,
      text: [
        `Hi ${firstName},`,
        `On ${statedAt} (Helsinki) you stated: “I withdraw from my purchase of ${packName} ` +
          `(${reference}), as far as its credits are unused.”`,
        `${creditsText(creditsCents)} credits were unused. ${refund} will be refunded to your ` +
          "means of payment within 14 days. The credits have left your wallet. Until the refund " +
          "is made you can take the withdrawal back, and have them again.",
      ],
    };
  },
});

interface EndedJob {
  withdrawalId: string;
  /** Absent in a job of an earlier version: to the side that did not end it. */
  to?: "player" | "contact";
}

const withdrawalEnded = defineNotice({
  kind: "withdrawal-ended",
  label: "Withdrawal taken back or rejected",
  async facts({ withdrawalId, to }: EndedJob, { db, env }) {
    const statement = await findStatement(db, withdrawalId);
    if (!statement?.outcome) return null;
    const { email: player, outcome, ...rest } = statement;
    const reader = to ?? (outcome === "refused" ? "player" : "contact");
    const email = reader === "player" ? player : env.contactEmail;
    return { ...rest, outcome, withdrawalId, reader, player, email };
  },
  key: ({ withdrawalId }, { reader }) => `withdrawal-ended:${withdrawalId}:${reader}`,
  email(ended, site) {
    if (ended.reader === "contact") return endedForContact(ended);
    if (ended.outcome === "taken_back") return endedForPlayer(site, ended, TAKEN_BACK);
    return ended.refusal_reason === null ? null : endedForPlayer(site, ended, REJECTED);
  },
});

type Ended = Omit<NonNullable<Awaited<ReturnType<typeof findStatement>>>, "email"> & {
  withdrawalId: string;
  player: string;
};

function endedForContact(ended: Ended): Email {
  const { firstName, lastName, packName, reference, statedAt, player } = ended;
  const refund = euros(ended.refundCents);
  const how = ended.outcome === "refused" ? "rejected" : "taken back";
  return {
    subject: `Withdrawal ${how}: do not refund ${refund}`,
    title: `A withdrawal was ${how}`,
    preview: "The credits are back in the wallet.",
    footer: "A reply to this email goes to the player.",
    replyTo: player,
    text: [
      `The withdrawal of ${firstName} ${lastName} from ${packName} (${reference}), stated on ` +
        `${statedAt}, was ${how}.`,
      `Do not refund the ${refund}. Has it been refunded at Stripe already? Then nothing is to be ` +
        "done: the credits are taken back with the refund.",
    ],
  };
}

const NO_MONEY = "No money is refunded, and its credits are back in your wallet.";

const REJECTED = {
  title: "Your withdrawal was rejected",
  text: ({ packName, reference, statedAt, refusal_reason: reason }: Ended) => [
    `The withdrawal from your purchase of ${packName} (${reference}), which you stated on ` +
      `${statedAt} (Helsinki), was rejected:`,
    reason ?? "",
    `${NO_MONEY} If you do not agree, reply to this email. While the time for a withdrawal runs, ` +
      "you can also state it again.",
  ],
};

const TAKEN_BACK = {
  title: "You took your withdrawal back",
  text: ({ packName, reference, statedAt }: Ended) => [
    `You took back the withdrawal from your purchase of ${packName} (${reference}), which you ` +
      `stated on ${statedAt} (Helsinki).`,
    `${NO_MONEY} While the time for a withdrawal runs, you can state it again.`,
  ],
};

function endedForPlayer(
  site: Env,
  ended: Ended,
  { title, text }: typeof REJECTED | typeof TAKEN_BACK,
): Email {
  return {
    subject: `${title}: ${ended.packName}`,
    title,
    preview: "The credits are back in your wallet.",
    action: seeWithdrawals(site),
    footer: "You can reply to this email.",
    text: [`Hi ${ended.firstName},`, ...text(ended)],
    replyTo: site.contactEmail,
    thread: [`withdrawal:${ended.withdrawalId}`],
  };
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

export const supportNotices = [
  supportMessage,
  review,
  answer,
  ticketReply,
  withdrawal,
  withdrawalEnded,
] as const;
