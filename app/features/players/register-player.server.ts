import type { Db, Tx } from "../../platform/db.server.ts";
import type { Jobs } from "../../platform/jobs.server.ts";
import { networkOf } from "../accounts/address-limits.server.ts";
import type { Accounts } from "../accounts/accounts.server.ts";
import { registerAgain } from "../accounts/register-again.server.ts";
import { sendConfirmation } from "../accounts/send-confirmation.server.ts";
import type { SignUpInput } from "./input.ts";
import { accountOf, insertPlayer, type NewPlayer, profileOf } from "./insert-player.server.ts";

interface Parts {
  db: Db;
  jobs: Jobs;
  accounts: Accounts;
  /** Makes the new account owe what earlier ones of its address do, on the same transaction. */
  recallDebt(tx: Tx, who: { userId: string; addressHash: string }, now: Date): Promise<void>;
}

export type Registered =
  /** `resent`: the address was known, and a mail was sent to it again. */
  | { ok: true; resent: boolean }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number }
  /** The address is known and had its mails of this hour. */
  | { ok: false; reason: "nothing-sent" };

/**
 * Signs a player up: account, profile, confirmation link and mail in one transaction. Of several
 * sign-ups of an address that is not confirmed yet the newest stands, profile included. The
 * password is hashed before it opens, for a known address as well. `input` is checked already;
 * the client address is counted here, so that forms with mistakes are not.
 */
export async function registerPlayer(
  { db, jobs, accounts, recallDebt }: Parts,
  { address, password, ...input }: SignUpInput & { address: string },
  now: Date,
): Promise<Registered> {
  const retryAfterSeconds = await accounts.limits.count("sign-up", address);
  if (retryAfterSeconds) return { ok: false, reason: "too-many", retryAfterSeconds };
  const turn = { client: networkOf(address), account: input.email };
  const player = { ...input, passwordHash: await accounts.hashPassword(password, turn) };
  const addressHash = accounts.hashEmail(player.email);
  const parts = { jobs, recallDebt };
  return db.transaction().execute((tx) => register(tx, parts, { player, addressHash }, now));
}

async function register(
  tx: Tx,
  { jobs, recallDebt }: Pick<Parts, "jobs" | "recallDebt">,
  { player, addressHash }: { player: NewPlayer; addressHash: string },
  now: Date,
): Promise<Registered> {
  const userId = await insertPlayer(tx, player);
  if (userId) {
    await recallFreeSession(tx, userId, addressHash, now);
    await recallDebt(tx, { userId, addressHash }, now);
    await sendConfirmation(tx, jobs, userId, now);
    return { ok: true, resent: false };
  }
  const { isSent, replacedId } = await registerAgain(tx, jobs, accountOf(player), now);
  if (replacedId) await replaceProfile(tx, replacedId, player);
  return isSent ? { ok: true, resent: true } : { ok: false, reason: "nothing-sent" };
}

async function replaceProfile(tx: Tx, userId: string, player: NewPlayer) {
  await tx.updateTable("profiles").set(profileOf(player)).where("user_id", "=", userId).execute();
}

/** An account that was deleted here may have had the address's one free session. */
async function recallFreeSession(tx: Tx, userId: string, addressHash: string, now: Date) {
  const had = tx.selectFrom("former_free_sessions").select("address_hash");
  await tx
    .updateTable("profiles")
    .set({ had_free_session: true })
    .where("user_id", "=", userId)
    .where((eb) =>
      eb.exists(had.where("address_hash", "=", addressHash).where("kept_until", ">", now)),
    )
    .execute();
}
