-- Credits: the ledger, and the lots that say where credits came from and when they expire.

create table wallet_transactions (
  id uuid primary key default gen_random_uuid(),
  -- Order of writing; created_at is equal for all entries of one transaction.
  seq bigint generated always as identity,
  user_id uuid not null references profiles on delete restrict,
  type text not null check (type in
    ('topup', 'deduction', 'refund', 'credit', 'adjustment', 'expiry', 'reversal', 'withdrawal')),
  amount_eur numeric(12, 2) not null check (amount_eur <> 0),
  status text not null default 'completed' check (status in ('pending', 'completed', 'failed')),
  notes text,
  -- Deferred: within one transaction the credits are taken before the booking is written.
  booking_id uuid references bookings on delete restrict deferrable initially deferred,
  -- What the entry is for, such as deduction:{booking}: the same thing is never booked twice.
  business_key text unique,
  created_at timestamptz not null default now(),
  -- 'reversal' is a payment taken back, or given again after a won dispute; 'withdrawal' takes the
  -- credits of a purchase out, or gives them back when it ends without a refund.
  constraint wallet_transactions_sign check (
    case
      when type in ('deduction', 'expiry') then amount_eur < 0
      when type in ('adjustment', 'reversal', 'withdrawal') then true
      else amount_eur > 0
    end
  )
);
create index wallet_transactions_user on wallet_transactions (user_id, seq desc);
create index wallet_transactions_booking on wallet_transactions (booking_id);
-- Includes the amount, so that reports need not read the ledger itself, with a row for every seat.
create index wallet_transactions_of_period on wallet_transactions (created_at)
  include (amount_eur) where status = 'completed';

create function forbid_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'wallet_transactions is append-only: correct a balance by a new entry';
end $$;
-- Why an organiser corrected a balance is free text about a player, stored only here. It may be
-- removed when the account is deleted; nothing else may ever change.
create function allow_only_removing_notes() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) <> to_jsonb(old) || '{"notes": null}'
    or not exists (select from profiles where user_id = old.user_id and deleted_at is not null)
  then
    raise exception 'wallet_transactions is append-only: correct a balance by a new entry';
  end if;
  return new;
end $$;
create trigger wallet_transactions_append_only before update on wallet_transactions
  for each row execute function allow_only_removing_notes();
create trigger wallet_transactions_no_delete before delete on wallet_transactions
  for each row execute function forbid_ledger_change();
create trigger wallet_transactions_no_truncate before truncate on wallet_transactions
  for each statement execute function forbid_ledger_change();

create table credit_lots (
  id uuid primary key default gen_random_uuid(),
  -- Order of granting.
  seq bigint generated always as identity,
  user_id uuid not null references profiles on delete restrict,
  source text not null check (source in ('pack', 'subscription', 'reward', 'refund', 'adjustment')),
  granted_eur numeric(12, 2) not null check (granted_eur > 0),
  remaining_eur numeric(12, 2) not null,
  -- Null never expires.
  expires_at timestamptz,
  payment_id uuid references payments on delete restrict,
  subscription_id text,
  -- The end of the month that a subscription's lot was paid for.
  period_end timestamptz,
  -- The ledger entry that granted it.
  transaction_id uuid references wallet_transactions on delete restrict,
  constraint credit_lots_remaining check (remaining_eur >= 0 and remaining_eur <= granted_eur),
  constraint credit_lots_subscription check ((source = 'subscription') = (period_end is not null))
);
create index credit_lots_user on credit_lots (user_id);
create index credit_lots_open on credit_lots (user_id, expires_at, seq) where remaining_eur > 0;
create index credit_lots_expiring on credit_lots (expires_at) where remaining_eur > 0;
create index credit_lots_subscription_id on credit_lots (subscription_id);
create index credit_lots_payment on credit_lots (payment_id);
create index credit_lots_transaction on credit_lots (transaction_id);

-- How each ledger entry that grants no lot of its own was split over lots.
create table lot_entries (
  transaction_id uuid not null references wallet_transactions on delete restrict,
  lot_id uuid not null references credit_lots on delete restrict,
  amount_eur numeric(12, 2) not null check (amount_eur <> 0),
  primary key (transaction_id, lot_id)
);
create index lot_entries_lot on lot_entries (lot_id);
create trigger lot_entries_append_only before update or delete on lot_entries
  for each row execute function forbid_ledger_change();

-- The features move lots themselves and give every entry a business key. An entry written by SQL
-- alone has none, and moves lots by the plain rules, as far as there are any. It does not change
-- the balance: the same SQL has to update that too.
create function move_lots_of_plain_entry() returns trigger language plpgsql as $$
begin
  if new.amount_eur > 0 then
    insert into credit_lots (user_id, source, granted_eur, remaining_eur, transaction_id)
    values (new.user_id, 'adjustment', new.amount_eur, new.amount_eur, new.id);
  else
    with open as (
      select id, remaining_eur,
        sum(remaining_eur) over (order by expires_at nulls last, seq) - remaining_eur as before
      from credit_lots where user_id = new.user_id and remaining_eur > 0
    ), share as (
      select id, least(remaining_eur, -new.amount_eur - before) as taken
      from open where before < -new.amount_eur
    ), spent as (
      update credit_lots set remaining_eur = credit_lots.remaining_eur - share.taken
      from share where credit_lots.id = share.id
    )
    insert into lot_entries (transaction_id, lot_id, amount_eur)
    select new.id, id, -taken from share;
  end if;
  return null;
end $$;
-- Locks the wallet as the features do. Before the insert, because the foreign key on profiles would
-- take a weaker lock first.
create function lock_wallet_of_plain_entry() returns trigger language plpgsql as $$
begin
  perform from profiles where user_id = new.user_id for update;
  return new;
end $$;
create trigger wallet_transactions_plain_lock before insert on wallet_transactions
  for each row when (new.business_key is null and new.status = 'completed')
  execute function lock_wallet_of_plain_entry();
create trigger wallet_transactions_plain after insert on wallet_transactions
  for each row when (new.business_key is null and new.status = 'completed')
  execute function move_lots_of_plain_entry();
