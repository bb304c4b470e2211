import type { Tx } from "#app/platform/db.server.ts";
import { endConfirmations, findLink } from "#app/features/accounts/mail-links.server.ts";
import { findSignUp } from "#app/features/accounts/sign-ups.server.ts";
import { insertPlayer } from "./insert-player.server.ts";
import type { NewSignUp } from "./store-sign-up.server.ts";

/** What features above this one remember of an address, given back on the same transaction. */
export type RecallMore = (
  tx: Tx,
  player: { userId: string; addressHash: string },
  now: Date,
) => Promise<void>;

interface Memory {
  /** By Accounts.hashEmail. */
  addressHash: string;
  recallMore?: RecallMore | undefined;
}

/**
 * Makes user, account and profile of one sign-up, under the person's lock, gives back what is
 * remembered of the address, and ends all sign-ups of the person with their links. Answers the
 * user's id, or null where the person has an account.
 */
export async function openAccount(
  tx: Tx,
  signUp: NewSignUp,
  { addressHash, recallMore }: Memory,
  now: Date,
): Promise<string | null> {
  const userId = await insertPlayer(tx, signUp);
  if (!userId) return null;
  await recallFreeSession(tx, userId, addressHash, now);
  await recallMore?.(tx, { userId, addressHash }, now);
  const ended = await tx
    .deleteFrom("sign_ups")
    .where("person_email", "=", signUp.personEmail)
    .returning("id")
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) await endConfirmations(tx, ids, userId);
  return userId;
}

/** Whether a token is that of a live confirmation link that this very address was sent. */
export async function isProved(
  tx: Tx,
  { email, token }: { email: string; token: string },
  now: Date,
): Promise<boolean> {
  const signUpId = await findLink(tx, "confirm", token, now);
  const signUp = signUpId ? await findSignUp(tx, signUpId) : null;
  return signUp?.email === email;
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
