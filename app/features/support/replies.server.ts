import { renderEmail } from "#app/features/notifications/send-notice.server.tsx";
import type { Db } from "#app/platform/db.server.ts";
import type { SupportReplies } from "#app/platform/env.server.ts";
import type { InboundMail } from "#app/platform/inbound-mail.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { type AnswerSite, composeAnswer, replyAddress } from "./answer-mail.server.ts";
import { replyText } from "./reply-text.ts";
import { REPLIES_PER_HOUR } from "./rules.ts";
import { listThread, lockTicket, nextMoment, setStatus } from "./tickets.server.ts";

type ReplyResult =
  | { ok: true }
  /** "unknown": no address of ours, or its ticket is deleted. */
  | { ok: false; reason: "unknown" | "empty" | "too-often" };

type ReplySite = AnswerSite & { supportReplies: SupportReplies };

/** Stores an email once, as the player's message in its ticket, and reopens the ticket. */
export async function storeReply(
  db: Db,
  jobs: Jobs,
  { mail, site, now }: { mail: InboundMail; site: ReplySite; now: Date },
): Promise<ReplyResult> {
  const token = tokenOf(mail.recipients, site.supportReplies);
  if (!token) return { ok: false, reason: "unknown" };
  // A reply by itself, such as an out-of-office one, is no message.
  if (mail.isAutomatic) return { ok: true };
  const answers = db.selectFrom("letter_answers").where("reply_token", "=", token);
  const answer = await answers.select(["id", "message_id", "review_id"]).executeTakeFirst();
  const sent = answer && (await composeAnswer(db, site, answer.id));
  const { text } = sent ? await renderEmail(site, sent.content) : { text: "" };
  const body = replyText(mail.text, mail.attachments, text);
  if (!body) return { ok: false, reason: "empty" };
  return db.transaction().execute(async (tx) => {
    const ticketId = answer?.message_id ?? answer?.review_id;
    const ticket = ticketId ? await lockTicket(tx, ticketId) : null;
    if (!answer || !ticketId || !ticket || ticket.isGone) return { ok: false, reason: "unknown" };
    const of = tx
      .selectFrom("ticket_replies as reply")
      .innerJoin("letter_answers as answer", "answer.id", "answer_id")
      .where((eb) => eb.or([eb("message_id", "=", ticketId), eb("review_id", "=", ticketId)]));
    const same = of.select("reply.id").where("mail_key", "=", mail.key);
    if (await same.executeTakeFirst()) return { ok: true };
    const { sent } = await of
      .select((eb) => eb.fn.countAll<number>().as("sent"))
      .where("reply.created_at", ">", new Date(now.getTime() - 3_600_000))
      .executeTakeFirstOrThrow();
    if (sent >= REPLIES_PER_HOUR) return { ok: false, reason: "too-often" };
    const sent_from = await otherAddress(tx, ticket.userId, mail.from);
    const created_at = nextMoment(await listThread(tx, ticketId), now);
    const stored = { mail_key: mail.key, mail_id: mail.messageId };
    const { id: replyId } = await tx
      .insertInto("ticket_replies")
      .values({ ...stored, answer_id: answer.id, body, sent_from, created_at })
      .returning("id")
      .executeTakeFirstOrThrow();
    // A withdrawal is open until its refund, whatever is written about it.
    if (ticket.kind !== "withdrawal") await setStatus(tx, ticket, "open");
    await jobs.enqueueEmails(tx, "ticket-reply", [{ replyId }]);
    return { ok: true };
  });
}

function tokenOf(recipients: string[], replies: SupportReplies): string | null {
  const [start = "", end = ""] = replyAddress(replies, " ").toLowerCase().split(" ");
  const ours = recipients.filter((each) => each.startsWith(start) && each.endsWith(end));
  const tokens = ours.map((each) => each.slice(start.length, -end.length));
  return tokens.find((token) => /^[0-9a-f]{32}$/.test(token)) ?? null;
}

/** Null where it came from the account's own address. */
async function otherAddress(db: Db, userId: string, from: string | null): Promise<string | null> {
  const profile = db.selectFrom("profiles").select("email").where("user_id", "=", userId);
  const { email } = await profile.executeTakeFirstOrThrow();
  const address = (from ?? "an unknown address").toLowerCase().slice(0, 255);
  return address === email.toLowerCase() ? null : address;
}
