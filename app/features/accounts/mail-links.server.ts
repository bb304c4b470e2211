import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Tx } from "../../platform/db.server.ts";
import { CONFIRM_LINK_HOURS, MAILS_PER_HOUR, RESET_LINK_HOURS } from "./rules.ts";
import { hashToken, newToken } from "./tokens.server.ts";

/** What a mail is about; "exists" has no link that needs a token and is only counted. */
export type LinkKind = "confirm" | "reset" | "exists";
/** A "confirmed" link is one that was used: it only tells that there is nothing left to do. */
type StoredKind = LinkKind | "confirmed";

const HOUR = 60 * 60 * 1_000;
const LASTS_HOURS: Record<LinkKind, number> = {
  confirm: CONFIRM_LINK_HOURS,
  reset: RESET_LINK_HOURS,
  exists: 1,
};

/**
 * Stores a new link of a user and answers its token, or null when this account had as many mails
 * of the kind within the hour as it may. Earlier links stay valid until one of them is used.
 */
export async function issueLink(
  tx: Tx,
  kind: LinkKind,
  userId: string,
  now: Date,
): Promise<string | null> {
  await lockUser(tx, userId);
  await forgetExpiredLinks(tx, now);
  const { sent } = await tx
    .selectFrom("verifications")
    .select((eb) => eb.fn.countAll<number>().as("sent"))
    .where("value", "=", userId)
    .where("identifier", "like", `${kind}:%`)
    .where("created_at", ">", new Date(now.getTime() - HOUR))
    .executeTakeFirstOrThrow();
  if (sent >= MAILS_PER_HOUR) return null;
  const token = newToken();
  await tx
    .insertInto("verifications")
    .values({
      identifier: identifierOf(kind, token),
      value: userId,
      expires_at: new Date(now.getTime() + LASTS_HOURS[kind] * HOUR),
      created_at: now,
    })
    .execute();
  return token;
}

/** Uses a link up: its user's id, or null when it is unknown, used or expired. */
export async function consumeLink(
  tx: Tx,
  kind: LinkKind,
  token: string,
  now: Date,
): Promise<string | null> {
  const userId = await findLink(tx, kind, token, now);
  if (!userId) return null;
  // The user before the links: two links of one user that are used at once do not deadlock.
  await lockUser(tx, userId);
  const used = await tx
    .deleteFrom("verifications")
    .where("identifier", "=", identifierOf(kind, token))
    .returning("value")
    .executeTakeFirst();
  return used?.value ?? null;
}

/**
 * Uses a confirmation link up, and all others of its user with it: until they lapse they are known
 * as "confirmed". Answers the user's id, or null as consumeLink does.
 */
export async function consumeConfirmation(
  tx: Tx,
  token: string,
  now: Date,
): Promise<string | null> {
  const userId = await findLink(tx, "confirm", token, now);
  if (!userId) return null;
  await lockUser(tx, userId);
  // Asked again under the lock: it may have been used meanwhile.
  if (!(await findLink(tx, "confirm", token, now))) return null;
  await tx
    .updateTable("verifications")
    .set({ identifier: sql`'confirmed:' || substr(identifier, length('confirm:') + 1)` })
    .where("value", "=", userId)
    .where("identifier", "like", "confirm:%")
    .execute();
  return userId;
}

/** The user of a link that could be used now, without using it; else null. */
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

/**
 * Ends every link of a kind but the one of this token. They stay as rows, because the mails that
 * they went out with count towards the hour's.
 */
export async function endOtherLinks(
  tx: Tx,
  kind: LinkKind,
  userId: string,
  token: string,
): Promise<void> {
  await tx
    .updateTable("verifications")
    // No token leads here: a hash has no colon.
    .set({ identifier: sql`${`${kind}:ended:`}::text || id` })
    .where("value", "=", userId)
    .where("identifier", "like", `${kind}:%`)
    .where("identifier", "!=", identifierOf(kind, token))
    .execute();
}

/** Lets all links of these kinds go, used or not. */
export async function forgetLinks(tx: Tx, userId: string, kinds: StoredKind[]): Promise<void> {
  await tx
    .deleteFrom("verifications")
    .where("value", "=", userId)
    .where((eb) => eb.or(kinds.map((kind) => eb("identifier", "like", `${kind}:%`))))
    .execute();
}

/**
 * The id of an address that has no account, the same each time. A mail is prepared for it like
 * for any other, and the mail job then finds nobody: no answer or time tells who has an account.
 */
export function strangerId(email: string): string {
  const hex = createHash("sha256").update(email).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function identifierOf(kind: StoredKind, token: string): string {
  return `${kind}:${hashToken(token)}`;
}

// Sign-ups, resends and uses of links of one user happen one after another.
async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
}

// A few at a time, and never one that another transaction holds: this is only tidying.
async function forgetExpiredLinks(tx: Tx, now: Date): Promise<void> {
  await sql`delete from verifications where id in (
    select id from verifications where expires_at < ${now} limit 50 for update skip locked
  )`.execute(tx);
}
