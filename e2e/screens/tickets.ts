import { randomUUID } from "node:crypto";
import { recordAudit } from "#app/platform/audit.server.ts";
import { reclaimForWithdrawal } from "#app/features/wallet/reclaim-credits.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { aFailedMail } from "#test/failed-mails.ts";
import { singlePurchase, tell } from "#test/payments.ts";

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
  await stageAuditLog(db, { admin, game, answered });
  await stageFailedMails(db, { writer, message, at: ago(3) });
  return { message, answered, withdrawal };
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

async function stageWithdrawal(db: Db, user_id: string, at: Date): Promise<string> {
  const pack = singlePurchase(user_id, { payment_link: "plink_demo_pay_per_game" });
  await tell(db, pack.completed, at);
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
  const message = `The player withdrew from a purchase.\nPurchase: Single game, 9.99 €, ${pack.id}`;
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
  await aFailedMail(db, { queue: "mail.account-exists", data: { userId }, queuedAt });
  await aFailedMail(db, { queue: "mail.reset-password", data: link, queuedAt });
  const mail = { queue: "mail.support-message", data: { messageId } } as const;
  await aFailedMail(db, { ...mail, queuedAt, output: away });
}

async function stageAuditLog(
  db: Db,
  { admin: actor, game, answered }: Record<"admin" | "game" | "answered", string>,
) {
  const edit = {
    before: { startTime: "18:00", maxPlayers: 10, isOutdoor: false },
    after: { startTime: "19:00", maxPlayers: 12, isOutdoor: false },
  };
  const answer = { before: { status: "open" }, after: { status: "done" } };
  await db.transaction().execute(async (tx) => {
    await recordAudit(tx, { actor, action: "game.edit", subject: game, details: edit });
    await recordAudit(tx, { actor, action: "inbox.answer", subject: answered, details: answer });
  });
}
