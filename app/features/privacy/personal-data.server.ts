import { strToU8, type Zippable, zipSync } from "fflate";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { failedMails } from "#app/features/players/failed-mails.server.ts";

type PersonalData = Record<string, unknown[]>;

/** A consistent snapshot; amounts are text in credits or euros. Nothing in it allows a sign-in. */
export async function collectPersonalData(db: Db, userId: string): Promise<PersonalData> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const data: PersonalData = {};
      for (const [name, query] of Object.entries(QUERIES)) {
        data[name] = (await query(userId).execute(tx)).rows;
      }
      return data;
    });
}

const QUERIES: Record<string, (userId: string) => RawBuilder<object>> = {
  profile: (id) => sql`
    select profiles.user_id, first_name, last_name, profiles.email, date_of_birth, phone,
      school_year, major, position, nationality, nationality_code, sports_interests,
      is_down_to_play, join_message_posted, profile_picture_url, wallet_balance_eur,
      wallet_debt_eur, had_free_session, profiles.created_at, users.email_verified,
      users.created_at as signed_up_at, users.suspended_at, users.suspended_reason,
      array(select role from user_roles where user_id = users.id) as roles
    from profiles join users on users.id = profiles.user_id where profiles.user_id = ${id}`,
  // Without the token, which would sign in anybody who reads it.
  sessions: (id) => sql`
    select created_at, updated_at, expires_at, second_factor_at, ip_address, user_agent
    from sessions where user_id = ${id} order by created_at`,
  "second-factor": (id) => sql`
    select created_at, (select count(*)::int from recovery_codes
      where recovery_codes.user_id = second_factors.user_id) as recovery_codes_left
    from second_factors where user_id = ${id}`,
  "notification-settings": (id) => sql`
    select kind, email, push from notification_settings where user_id = ${id} order by kind`,
  "notifications-sent": (id) => sql`
    select kind, subject, sent_at from notifications_sent where user_id = ${id} order by sent_at`,
  announcements: (id) => sql`
    select kind, subject, message, outcome, ended_at
    from announcement_recipients join announcements on announcements.id = announcement_id
    where user_id = ${id} order by announcement_recipients.id`,
  // Without the address and keys by which the browser is reached.
  "push-devices": (id) => sql`
    select split_part(endpoint, '/', 3) as service, created_at
    from push_subscriptions where user_id = ${id} order by created_at`,
  // No-shows without who noted them; teams once their players may see them.
  bookings: (id) => sql`
    select bookings.id, bookings.user_id, bookings.game_id, payment_status, bookings.price_eur,
      refund_hours, refund_fee_eur, terms, uses_free_session, cancelled_at, cancel_reason, end_reason,
      late_refund_eur, free_cancel_until, attendance, no_show_excused_at, no_show_excuse,
      not_collected_at, cash_promised, goals, has_won, number as team, bib as team_bib, bookings.created_at, games.title as game_title,
      games.date as game_date, games.start_time, games.end_time, venues.name as venue_name,
      venues.city as venue_city
    from bookings join games on games.id = bookings.game_id
    join venues on venues.id = games.venue_id
    left join game_lineups on game_lineups.game_id = bookings.game_id and published_at is not null
    left join game_teams on game_teams.game_id = game_lineups.game_id and number = team
    where bookings.user_id = ${id} order by bookings.created_at`,
  "cash-payments": (id) => sql`
    select cash.id, booking_id, amount_eur, method, noted_at, undone_kind, undone_at, kept_at,
      games.title as game_title, games.date as game_date
    from bookings join cash_payments cash on booking_id = bookings.id
    join games on games.id = game_id
    where user_id = ${id} order by noted_at, cash.id`,
  "waitlist-entries": (id) => sql`
    select entry.*, games.title as game_title, games.date as game_date, games.start_time
    from waitlist_entries entry join games on games.id = game_id
    where user_id = ${id} order by entry.created_at`,
  // Without the link's secret and the other player.
  "friend-holds": (id) => sql`
    select role, hold.status, expires_at, hold.created_at, ended_at, games.title as game_title,
      games.date as game_date
    from (
      select 'held' as role, id from friend_holds where user_id = ${id}
      union all select 'taken', taken.id from bookings
      join friend_holds taken on taken.booking_id = bookings.id where bookings.user_id = ${id}
    ) own join friend_holds hold using (id) join games on games.id = hold.game_id
    order by hold.created_at`,
  // Without the secret of a friend's link.
  "payment-holds": (id) => sql`
    select hold.id, hold.status, holds_spot, shown, session_id, hold.created_at, expires_at, paid_at,
      ended_at, declined_reason, games.title as game_title, games.date as game_date
    from payment_holds hold join games on games.id = hold.game_id
    where hold.user_id = ${id} order by hold.created_at`,
  "wallet-transactions": (id) => sql`
    select id, type, amount_eur, status, notes, booking_id, created_at
    from wallet_transactions where user_id = ${id} order by seq`,
  "credit-lots": (id) => sql`
    select id, source, granted_eur, remaining_eur, expires_at, payment_id, subscription_id,
      period_end, transaction_id
    from credit_lots where user_id = ${id} order by seq`,
  payments: (id) => sql`
    select payments.*, pack_name from payments join credit_packs on credit_packs.id = pack_id
    where user_id = ${id} order by payments.created_at`,
  "pending-payments": (id) => sql`
    select pending.*, pack_name from pending_payments pending
    left join credit_packs on credit_packs.id = pack_id
    where user_id = ${id} order by pending.created_at`,
  // What deleted accounts of the address still owe.
  "former-accounts": (id) => sql`
    select profiles.deleted_at, coalesce((
      select sum(owed_eur) from payments where payments.user_id = former_id
    ), 0)::text as owed_eur
    from former_payers join profiles on profiles.user_id = former_id
    where former_payers.user_id = ${id} order by profiles.deleted_at`,
  subscriptions: (id) => sql`
    select subscriptions.*, stripe_customers.created_at as customer_since
    from stripe_customers left join subscriptions using (customer_id)
    where user_id = ${id} order by stripe_customers.created_at`,
  "payment-events": (id) => sql`
    select id, type, object_id, created_at, received_at, status
    from stripe_events where user_id = ${id} order by received_at`,
  "payment-assignments": (id) => sql`
    select event_id, payment_id, customer_id, assigned_at, taken_back_at
    from payment_assignments where user_id = ${id} order by assigned_at`,
  refunds: (id) => sql`
    select id, stripe_object_id, amount, currency, status, asked_at
    from refunds where user_id = ${id} order by asked_at`,
  "monthly-challenges": (id) => sql`
    select month_year, games_completed, reward_claimed
    from monthly_game_progress where user_id = ${id} order by month_year`,
  "shared-cards": (id) => sql`
    select token, created_at from shared_cards where user_id = ${id}`,
  // Without the secret address, which would show the games to anybody who reads it.
  "calendar-feed": (id) => sql`
    select created_at from calendar_feeds where user_id = ${id}`,
  messages: (id) => sql`
    select id, kind, subject, message, status, created_at,
      ${answersTo(sql.ref("message_id"), "support_messages")} as answers
    from support_messages where user_id = ${id} order by created_at`,
  reviews: (id) => sql`
    select id, rating, comment, status, created_at,
      ${answersTo(sql.ref("review_id"), "reviews")} as answers
    from reviews where user_id = ${id} order by created_at`,
  // Sent while the player was in the game, or since it was cancelled; without who wrote it.
  "game-messages": (id) => sql`
    select game_messages.id, subject, message, sent_at, games.title as game_title,
      games.date as game_date
    from bookings join game_messages using (game_id) join games on games.id = game_id
    where user_id = ${id} and bookings.created_at <= sent_at
      and (cancelled_at is null or cancelled_at > sent_at or end_reason = 'GameCancelled')
    order by sent_at, game_messages.id`,
  "chat-messages": (id) => sql`
    select chat_messages.id, game_id, number, kind, body, chat_messages.created_at, pinned_at,
      removed_at, removed_by, games.title as game_title, games.date as game_date
    from chat_messages join games on games.id = game_id
    where user_id = ${id} order by chat_messages.created_at, number`,
  "chats-read": (id) => sql`
    select game_id, read_number, is_muted, games.title as game_title, games.date as game_date
    from chat_members join games on games.id = game_id
    where user_id = ${id} order by starts_at, game_id`,
  // Without their names.
  "blocked-players": (id) => sql`
    select blocked_id, created_at from player_blocks where user_id = ${id} order by created_at`,
  "undelivered-mails": (id) => sql`
    select kind as mail, "failedAt" as failed_at, reason
    from (${failedMails()}) mail where "userId" = ${id} order by 2`,
  withdrawals: (id) => sql`
    select id, payment_id, credits_eur, amount_eur, stated_at, paid_back_at, outcome, ended_at,
      refusal_reason
    from withdrawals where user_id = ${id} order by stated_at`,
};

function answersTo(key: RawBuilder<unknown>, table: string): RawBuilder<unknown> {
  return sql`(
    select coalesce(json_agg(json_build_object('answer', answer, 'answered_at', answered_at,
        'replies', (
          select coalesce(json_agg(json_build_object('reply', body, 'sent_from', sent_from,
            'sent_at', created_at) order by created_at), '[]')
          from ticket_replies where answer_id = letter_answers.id))
      order by answered_at), '[]')
    from letter_answers where ${key} = ${sql.ref(`${table}.id`)})`;
}

export function packData(
  data: PersonalData,
  {
    brandName,
    madeAt,
    files,
  }: { brandName: string; madeAt: Date; files: Record<string, Uint8Array> },
): Uint8Array<ArrayBuffer> {
  const folder: Zippable = { "README.txt": strToU8(readMe(brandName, madeAt)) };
  for (const [name, rows] of Object.entries(data)) {
    folder[`${name}.json`] = strToU8(`${JSON.stringify(rows, null, 2)}\n`);
  }
  return zipSync({ ...folder, ...files }, { mtime: madeAt });
}

function readMe(brandName: string, madeAt: Date): string {
  return [
    `Your data at ${brandName}, as of ${madeAt.toISOString()}.`,
    "",
    "Each JSON file lists what is stored about you under that name; an empty list is nothing.",
    "Amounts are credits or euros, times are in UTC. statement.xlsx is the wallet for",
    "spreadsheets, in Helsinki's time, and statement.csv the same for programs.",
    "",
  ].join("\n");
}
