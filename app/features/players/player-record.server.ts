import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { centsFromNumeric } from "#app/platform/money.ts";

/** What organisers see of a player. */
export interface PlayerRecord {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  dateOfBirth: string;
  schoolYear: string;
  major: string;
  profilePictureUrl: string | null;
  signedUpAt: Date;
  isAdmin: boolean;
  suspendedAt: Date | null;
  suspendedReason: string | null;
  balanceCents: number;
  debtCents: number;
}

type Row = Omit<PlayerRecord, "balanceCents" | "debtCents"> & Record<"balance" | "debt", string>;

/** Null for a deleted account, for nobody and for what is no id. */
export async function findPlayerRecord(
  db: Db,
  playerId: string | undefined,
): Promise<PlayerRecord | null> {
  if (!isId(playerId)) return null;
  const { rows } = await sql<Row>`
    select users.id, first_name as "firstName", last_name as "lastName", profiles.email, phone,
      date_of_birth as "dateOfBirth", school_year as "schoolYear", major,
      profile_picture_url as "profilePictureUrl", users.created_at as "signedUpAt",
      exists (select from user_roles where user_id = users.id and role = 'admin') as "isAdmin",
      suspended_at as "suspendedAt", suspended_reason as "suspendedReason",
      wallet_balance_eur as balance, wallet_debt_eur as debt
    from profiles join users on users.id = profiles.user_id
    where profiles.user_id = ${playerId} and deleted_at is null`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { balance, debt, ...record } = row;
  return {
    ...record,
    balanceCents: centsFromNumeric(balance),
    debtCents: centsFromNumeric(debt),
  };
}
