import { randomBytes, randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { recordAudit } from "#app/platform/audit.server.ts";
import { type Db, insertRows, type Tx } from "#app/platform/db.server.ts";
import type { Env } from "#app/platform/env.server.ts";
import { open, seal, hashToken } from "#app/platform/secrets.server.ts";
import { plainText } from "#app/platform/text.ts";
import { lockAccountStatus } from "./account-status.server.ts";
import { type OpenedSession, rotateSession } from "./sessions.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { addressOf, RECOVERY_CODES, SECOND_STEP_MINUTES } from "./rules.ts";

interface TwoFactorDependencies {
  db: Db;
  env: Pick<Env, "sessionSecret">;
  jobs: Jobs;
}

export async function findTwoFactor(db: Db | Tx, userId: string) {
  const found = await db
    .selectFrom("second_factors")
    .leftJoin("recovery_codes", "recovery_codes.user_id", "second_factors.user_id")
    .select("second_factors.created_at as since")
    .select((eb) => eb.fn.count<number>("code_hash").as("codesLeft"))
    .where("second_factors.user_id", "=", userId)
    .groupBy("second_factors.user_id")
    .executeTakeFirst();
  return found ?? null;
}

interface SetupOf {
  userId: string;
  replaces: Date | null;
}

/** Stores nothing: `setup` is the sealed secret, to be sent back with a code within 10 minutes. */
export function startTwoFactor(
  { env }: Pick<TwoFactorDependencies, "env">,
  of: SetupOf,
  now: Date,
) {
  const secret = newTotpSecret();
  const until = now.getTime() + SECOND_STEP_MINUTES * 60_000;
  return { secret, setup: seal(env.sessionSecret, setupLabel(of), `${until} ${secret}`) };
}

export function readSetup(
  { env }: Pick<TwoFactorDependencies, "env">,
  { setup, ...of }: SetupOf & { setup: string },
  now: Date,
): string | null {
  const [until, secret] = open(env.sessionSecret, setupLabel(of), setup)?.split(" ") ?? [];
  return secret && Number(until) > now.getTime() ? secret : null;
}

/** This session gets a new token. "changed" if another request was faster. */
export async function confirmTwoFactor(
  { db, env, jobs }: TwoFactorDependencies,
  { userId, replaces, sessionId, ...given }: Confirmation,
  now: Date,
): Promise<
  | { ok: true; recoveryCodes: string[]; session: OpenedSession | null }
  | { ok: false; reason: "wrong-code" | "changed" }
> {
  const last_step = stepOfCode(given.secret, given.code, now);
  if (last_step === null) return { ok: false, reason: "wrong-code" };
  const secret = seal(env.sessionSecret, secretLabel(userId), given.secret);
  return db.transaction().execute(async (tx) => {
    if (!(await lockAccountStatus(tx, userId))) return { ok: false, reason: "changed" };
    if (replaces) {
      const former = tx.deleteFrom("second_factors").where("user_id", "=", userId);
      await former.where("created_at", "=", replaces).execute();
    }
    const added = await tx
      .insertInto("second_factors")
      .values({ user_id: userId, secret, last_step, created_at: now })
      .onConflict((conflict) => conflict.column("user_id").doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) return { ok: false, reason: "changed" };
    await tx
      .updateTable("sessions")
      .set({ second_factor_at: now })
      .where("id", "=", sessionId)
      .execute();
    await recordChange({ tx, jobs }, { userId, actor: userId, change: "two-factor-on" });
    const recoveryCodes = await replaceRecoveryCodes(tx, userId);
    return { ok: true, recoveryCodes, session: await rotateSession(tx, sessionId) };
  });
}

interface Confirmation extends SetupOf {
  sessionId: string;
  secret: string;
  code: string;
}

export async function renewRecoveryCodes(
  { db, jobs }: Omit<TwoFactorDependencies, "env">,
  userId: string,
) {
  return db.transaction().execute(async (tx) => {
    await lockAccountStatus(tx, userId);
    if (!(await findTwoFactor(tx, userId))) return null;
    await recordChange({ tx, jobs }, { userId, actor: userId, change: "recovery-codes" });
    return replaceRecoveryCodes(tx, userId);
  });
}

export async function turnOffTwoFactor(
  { db, jobs }: Omit<TwoFactorDependencies, "env">,
  userId: string,
) {
  await db.transaction().execute(async (tx) => {
    await lockAccountStatus(tx, userId);
    if (!(await deleteTwoFactor(tx, userId))) return;
    await recordChange({ tx, jobs }, { userId, actor: userId, change: "two-factor-off" });
  });
}

/** Also ends all sessions: the finder of a lost phone may be signed in on it. */
export async function resetTwoFactor(
  { db, jobs }: Omit<TwoFactorDependencies, "env">,
  { email, actor }: { email: string; actor: string },
): Promise<{ ok: true } | { ok: false; reason: "no-account" | "no-second-factor" }> {
  return db.transaction().execute(async (tx) => {
    const users = tx.selectFrom("users").select("id").forUpdate();
    const user = await users.where("email", "=", addressOf(email)).executeTakeFirst();
    if (!user) return { ok: false, reason: "no-account" };
    if (!(await deleteTwoFactor(tx, user.id))) return { ok: false, reason: "no-second-factor" };
    await tx.deleteFrom("sessions").where("user_id", "=", user.id).execute();
    await recordChange({ tx, jobs }, { userId: user.id, actor, change: "two-factor-reset" });
    return { ok: true };
  });
}

/** One statement decides, so that only one of several concurrent uses counts. */
export async function consumeCode(
  parts: TwoFactorDependencies,
  { userId, code }: { userId: string; code: string },
  now: Date,
): Promise<boolean> {
  const typed = { userId, code: asStored(code) };
  return isRecoveryCode(code) ? consumeRecoveryCode(parts, typed) : consumeTotp(parts, typed, now);
}

export function isRecoveryCode(code: string): boolean {
  return !/^\d{6}$/.test(asStored(code));
}

function asStored(code: string): string {
  const typed = plainText(code).replace(/[ -]/g, "").toLowerCase();
  return typed.replace(/[oil]/g, (sign) => (sign === "o" ? "0" : "1"));
}

async function consumeTotp(
  { db, env }: TwoFactorDependencies,
  { userId, code }: { userId: string; code: string },
  now: Date,
): Promise<boolean> {
  const stored = db.selectFrom("second_factors").select("secret").where("user_id", "=", userId);
  const factor = await stored.executeTakeFirst();
  const secret = factor && open(env.sessionSecret, secretLabel(userId), factor.secret);
  const step = secret ? stepOfCode(secret, code, now) : null;
  if (step === null) return false;
  const used = await db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}

async function consumeRecoveryCode(
  { db, jobs }: TwoFactorDependencies,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const used = await tx
      .deleteFrom("recovery_codes")
      .where("user_id", "=", userId)
      .where("code_hash", "=", hashToken(code))
      .executeTakeFirst();
    if (used.numDeletedRows === 0n) return false;
    await enqueueMail({ tx, jobs }, userId, "recovery-code-used");
    return true;
  });
}

async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashToken(asStored(code)) }));
  await insertRows(tx, "recovery_codes", rows).execute();
  return codes;
}

/** 115 random bits: from 112 on, a plain hash is enough (ASVS 5.0, 6.5.2). */
function newRecoveryCode(): string {
  const signs = Array.from(randomBytes(23), (byte) => SIGNS[byte % SIGNS.length]).join("");
  return signs.match(/.{1,4}/g)!.join("-");
}

// Crockford's base 32: without i, l, o and u.
const SIGNS = "0123456789abcdefghjkmnpqrstvwxyz";

export async function deleteTwoFactor(tx: Tx, userId: string): Promise<boolean> {
  const factor = tx.deleteFrom("second_factors").where("user_id", "=", userId);
  return (await factor.executeTakeFirst()).numDeletedRows > 0n;
}

type Mailing = { tx: Tx; jobs: Jobs };
export type SecurityChange =
  | "two-factor-on"
  | "two-factor-off"
  | "two-factor-reset"
  | "recovery-codes"
  | "recovery-code-used";
// The use of a code is no change: it is mailed alone.
type AuditedChange = Exclude<SecurityChange, "recovery-code-used">;

async function recordChange(
  { tx, jobs }: Mailing,
  { userId, actor, change }: { userId: string; actor: string; change: AuditedChange },
): Promise<void> {
  await recordAudit(tx, { actor, action: `account.${change}`, subject: userId });
  await enqueueMail({ tx, jobs }, userId, change);
}

async function enqueueMail({ tx, jobs }: Mailing, userId: string, change: SecurityChange) {
  await jobs.enqueueEmails(tx, "account-security", [{ userId, change, eventId: randomUUID() }]);
}

const secretLabel = (userId: string) => `second factor of ${userId}`;
const setupLabel = ({ userId, replaces }: SetupOf) =>
  `second factor setup of ${userId} ${replaces?.toISOString() ?? ""}`;

// RFC 6238, as every authenticator app has it.
const SHAPE = { algorithm: "SHA1", digits: 6, period: 30 };
// Clocks differ, and typing takes time.
const WINDOW = 1;

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Null for a wrong code. Compares in constant time. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ ...SHAPE, secret });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

export function totpAddress(secret: string, account: { brandName: string; email: string }): string {
  const { brandName: issuer, email: label } = account;
  return new TOTP({ ...SHAPE, secret, issuer, label }).toString();
}
