import { silent } from "../players.ts";
import { randomUUID } from "node:crypto";
import { recordAudit } from "#app/platform/audit.server.ts";
import { reclaimForWithdrawal } from "#app/features/wallet/reclaim-credits.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { PUT_ASIDE } from "#app/platform/waiting-mails.server.ts";
import { aFailedMail } from "#test/failed-mails.ts";
import { singlePurchase, deliverEvents } from "#test/payments.ts";

const HOUR_MS = 3_600_000;

/** Tickets of every kind, and an organiser's audit entries. Returns what the screens open. */
export async function stageTickets(db: Db, { writer, game }: { writer: string; game: string }) {
  const { id: admin } = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", "admin@uni.example")
    .executeTakeFirstOrThrow();
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  const own = { user_id: writer };
  const question =
    "Hi! I left a blue pair of indoor shoes at the hall on Monday.\nDid anybody find them?";
  const message = await write(db, {
    ...own,
    subject: "Lost: blue shoes",
    message: question,
    created_at: ago(2),
  });
  const done = { ...own, subject: "Changing my name", message: "I married!", created_at: ago(30) };
  const answered = await write(db, { ...done, status: "done" });
  const answer = { id: randomUUID(), message_id: answered, review_id: null, answered_by: admin };
  const text = "Congratulations! You can change it in your profile.";
  await db
    .insertInto("letter_answers")
    .values({ ...answer, answer: text, answered_at: ago(28) })
    .execute();
  const review = { rating: 4, comment: "Good games, dark pitch.", created_at: ago(5) };
  await db
    .insertInto("reviews")
    .values({ ...own, ...review })
    .execute();
  const withdrawal = await stageWithdrawal(db, writer, ago(20));
  const replied = await stageReply(db, { user_id: writer, admin, ago });
  await stageMessages(db, { admin, game, at: ago(4) });
  await stageAuditLog(db, { admin, game, answered, writer });
  await stageFailedMails(db, { writer, message, at: ago(3) });
  return { message, answered, withdrawal, replied };
}

interface TicketRow {
  user_id: string;
  subject: string;
  message: string;
  created_at: Date;
  kind?: "withdrawal";
  status?: "done";
  withdrawal_id?: string;
}

async function write(db: Db, ticket: TicketRow): Promise<string> {
  const row = db.insertInto("support_messages").values(ticket).returning("id");
  return (await row.executeTakeFirstOrThrow()).id;
}

/** A message whose player has replied to the answer, from another address. */
async function stageReply(
  db: Db,
  { user_id, admin, ago }: { user_id: string; admin: string; ago: (hours: number) => Date },
): Promise<string> {
  const message = "Is there a changing room at Otaniemi?";
  const own = { user_id, subject: "Changing rooms", message, created_at: ago(9) };
  const message_id = await write(db, own);
  const answer = { id: randomUUID(), message_id, review_id: null, answered_by: admin };
  await db
    .insertInto("letter_answers")
    .values({ ...answer, answer: "Yes, in the basement.", answered_at: ago(8) })
    .execute();
  const sent = { sent_from: "aino.v@mail.example", mail_key: "key", created_at: ago(1) };
  await db
    .insertInto("ticket_replies")
    .values({ answer_id: answer.id, body: "Thanks! Is it open on Sundays too?", ...sent })
    .execute();
  return message_id;
}

async function stageMessages(
  db: Db,
  { admin: sent_by, game: game_id, at: sent_at }: { admin: string; game: string; at: Date },
) {
  const id = randomUUID();
  const text = {
    subject: "White shirts",
    message: "The others wear dark ones.\nSee you at 18:45!",
  };
  await db
    .insertInto("game_messages")
    .values({ id, game_id, sent_by, sent_at, sent_to: 9, ...text })
    .execute();
  const details = { messageId: id, before: null, after: { players: 9 } };
  await db
    .transaction()
    .execute((tx) =>
      recordAudit(tx, { actor: sent_by, action: "game.message", subject: game_id, details }),
    );
}

async function stageWithdrawal(db: Db, user_id: string, at: Date): Promise<string> {
  const pack = singlePurchase(user_id, { payment_link: "plink_demo_pay_per_game" });
  await deliverEvents(silent(db), pack.completed, at);
  const { id: payment_id } = await db
    .selectFrom("payments")
    .select("id")
    .where("stripe_object_id", "=", pack.id)
    .executeTakeFirstOrThrow();
  const amounts = { credits_eur: "10", amount_eur: "9.99" };
  const { id: withdrawal_id } = await db
    .insertInto("withdrawals")
    .values({ user_id, payment_id, ...amounts, credits_taken: true, stated_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  const taken = { withdrawalId: withdrawal_id, paymentId: payment_id, refundCents: 999 };
  await db.transaction().execute((tx) => reclaimForWithdrawal(tx, taken));
  const subject = "Withdrawal: Single game, 9.99 €";
  const message = `The player withdrew from a purchase.\nPurchase: Single game, 9.99 €`;
  const ticket = { user_id, subject, message, created_at: at };
  return write(db, { ...ticket, kind: "withdrawal", withdrawal_id });
}

/** A mailbox that is not there, a lapsed link, and a day without a mail server. */
async function stageFailedMails(
  db: Db,
  {
    writer: userId,
    message: messageId,
    at: queuedAt,
  }: Record<"writer" | "message", string> & {
    at: Date;
  },
) {
  const link = { userId, token: randomUUID() };
  const away = { name: "MailError", code: "ECONNECTION", message: "Connection refused" };
  await aFailedMail(db, { kind: "account-exists", data: { userId }, queuedAt });
  await aFailedMail(db, { kind: "reset-password", data: link, queuedAt });
  const mail = { kind: "support-message", data: { messageId } } as const;
  await aFailedMail(db, { ...mail, queuedAt, output: away });
  await aFailedMail(db, { ...mail, queuedAt, output: { name: PUT_ASIDE } });
}

async function stageAuditLog(
  db: Db,
  {
    admin: actor,
    game,
    answered,
    writer,
  }: Record<"admin" | "game" | "answered" | "writer", string>,
) {
  const later = db.selectFrom("games").select("id").where("status", "=", "Published");
  const series = await later.orderBy("starts_at", "desc").limit(8).execute();
  const grant = {
    key: "k",
    credits: "10",
    before: { balance: "80.50" },
    after: { balance: "90.50" },
  };
  const text = { before: { description: "Bring water." }, after: { description: "Bring\nwater." } };
  const edit = {
    before: { startTime: "18:00", maxPlayers: 10, isOutdoor: false },
    after: { startTime: "19:00", maxPlayers: 12, isOutdoor: false },
  };
  const answer = { before: { status: "open" }, after: { status: "done" } };
  await db.transaction().execute(async (tx) => {
    await recordAudit(tx, { actor, action: "game.edit", subject: game, details: edit });
    await recordAudit(tx, { actor, action: "inbox.answer", subject: answered, details: answer });
    await recordAudit(tx, { actor, action: "wallet.grant", subject: writer, details: grant });
    await recordAudit(tx, { actor, action: "account.suspend", subject: writer });
    for (const { id: subject } of series) {
      await recordAudit(tx, { actor, action: "game.create", subject });
    }
  });
  await db.transaction().execute(async (tx) => {
    await recordAudit(tx, { actor, action: "game.edit", subject: game, details: text });
  });
}
