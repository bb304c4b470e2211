import { createHash } from "node:crypto";
import { sql } from "kysely";
import { isOneOf, type Tx } from "#app/platform/db.server.ts";
import { CONFIRM_LINK_HOURS, MAILS_PER_HOUR, pauseBeforeMail, RESET_LINK_HOURS } from "./rules.ts";
import { hashToken, newToken } from "#app/platform/secrets.server.ts";

/** "exists" has no link; it only counts towards the limit. */
export type LinkKind = keyof typeof LASTS_HOURS;
/** A "confirmed" link was used; it only shows that nothing is left to do. */
type StoredKind = LinkKind | "confirmed";

const HOUR = 60 * 60 * 1_000;
const LASTS_HOURS = { confirm: CONFIRM_LINK_HOURS, reset: RESET_LINK_HOURS, exists: 1 };

/** A token for a new link, or null if the account has had all its mails of this hour. */
export async function issueLink(tx: Tx, kind: "reset" | "exists", userId: string, now: Date) {
  await lockUser(tx, userId);
  await deleteExpiredLinks(tx, now);
  const { sent } = await tx
    .selectFrom("verifications")
    .select((eb) => eb.fn.countAll<number>().as("sent"))
    .where("value", "=", userId)
    .where("identifier", "like", `${kind}:%`)
    .where("created_at", ">", new Date(now.getTime() - HOUR))
    .executeTakeFirstOrThrow();
  return sent < MAILS_PER_HOUR ? storeLink(tx, kind, userId, now) : null;
}

/** Under the person's lock. Null if too many emails to the person are waiting. */
export async function issueConfirmation(
  tx: Tx,
  { signUpId, mailbox }: { signUpId: string; mailbox: string },
  now: Date,
): Promise<{ token: string; delaySeconds: number } | null> {
  await deleteExpiredLinks(tx, now);
  const { last, ...counts } = await countMails(tx, mailbox, now);
  const pause = pauseBeforeMail(counts);
  if (pause === null) return null;
  const before = pause && last ? Math.max(last.getTime(), now.getTime()) : now.getTime();
  const sendsAt = new Date(before + pause * 1_000);
  const token = await storeLink(tx, "confirm", signUpId, now, { mailbox, sends_at: sendsAt });
  return { token, delaySeconds: Math.ceil((sendsAt.getTime() - now.getTime()) / 1_000) };
}

async function countMails(tx: Tx, mailbox: string, now: Date) {
  const hourAgo = new Date(now.getTime() - HOUR);
  return tx
    .selectFrom("verifications")
    .select((eb) => [
      eb.fn.countAll<number>().as("recent"),
      eb.fn.countAll<number>().filterWhere("sends_at", ">", now).as("waiting"),
      eb.fn.max("sends_at").as("last"),
    ])
    .where("mailbox", "=", mailbox)
    .where("sends_at", ">", hourAgo)
    .executeTakeFirstOrThrow();
}

async function storeLink(
  tx: Tx,
  kind: LinkKind,
  value: string,
  now: Date,
  mail: { mailbox: string; sends_at: Date } | null = null,
): Promise<string> {
  const token = newToken();
  await tx
    .insertInto("verifications")
    .values({
      identifier: identifierOf(kind, token),
      value,
      expires_at: new Date(now.getTime() + LASTS_HOURS[kind] * HOUR),
      created_at: now,
      ...mail,
    })
    .execute();
  return token;
}

export async function consumeLink(tx: Tx, token: string, now: Date): Promise<string | null> {
  const userId = await findLink(tx, "reset", token, now);
  if (!userId) return null;
  // The user before the links, so that two links of one user used at once do not deadlock.
  await lockUser(tx, userId);
  const used = await tx
    .deleteFrom("verifications")
    .where("identifier", "=", identifierOf("reset", token))
    .returning("value")
    .executeTakeFirst();
  return used?.value ?? null;
}

/** Until they expire the links only show that the address is confirmed. Under the person's lock. */
export async function endConfirmations(tx: Tx, signUpIds: string[], userId: string): Promise<void> {
  await tx
    .updateTable("verifications")
    .set({
      identifier: sql`'confirmed:' || substr(identifier, length('confirm:') + 1)`,
      value: userId,
    })
    .where(isOneOf("value", signUpIds, "text"))
    .where("identifier", "like", "confirm:%")
    .execute();
}

/** The user, or the sign-up of a "confirm" link; null where the link is not valid. */
export async function findLink(
  tx: Pick<Tx, "selectFrom">,
  kind: StoredKind,
  token: string,
  now: Date,
): Promise<string | null> {
  const link = await tx
    .selectFrom("verifications")
    .select("value")
    .where("identifier", "=", identifierOf(kind, token))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return link?.value ?? null;
}

export async function deleteLinks(tx: Tx, userId: string, kinds: StoredKind[]): Promise<void> {
  await tx
    .deleteFrom("verifications")
    .where("value", "=", userId)
    .where((eb) => eb.or(kinds.map((kind) => eb("identifier", "like", `${kind}:%`))))
    .execute();
}

/** For unknown users, so that neither result nor time reveals who has an account. */
export function strangerId(email: string): string {
  const hex = createHash("sha256").update(email).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function identifierOf(kind: StoredKind, token: string): string {
  return `${kind}:${hashToken(token)}`;
}

async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
}

async function deleteExpiredLinks(tx: Tx, now: Date): Promise<void> {
  await sql`delete from verifications where id in (
    select id from verifications where expires_at < ${now} limit 50 for update skip locked
  )`.execute(tx);
}
