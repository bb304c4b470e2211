-- Credits: the ledger, the packs they are bought in, and the monthly reward.

create table wallet_transactions (
  id uuid primary key default gen_random_uuid(),
  -- Order of writing; created_at is equal for all entries of one transaction.
  seq bigint generated always as identity,
  user_id uuid not null references profiles on delete restrict,
  type text not null check (type in ('topup', 'deduction', 'refund', 'credit', 'adjustment')),
  amount_eur numeric(12, 2) not null check (amount_eur <> 0),
  status text not null default 'completed' check (status in ('pending', 'completed', 'failed')),
  notes text,
  -- Deferred: the credits are taken before the seat is written, within one transaction.
  booking_id uuid references bookings on delete restrict deferrable initially deferred,
  -- What this entry is for, such as deduction:{booking}; the same deed is never booked twice.
  business_key text unique,
  created_at timestamptz not null default now(),
  constraint wallet_transactions_sign check (
    case type when 'deduction' then amount_eur < 0 when 'adjustment' then true else amount_eur > 0 end
  )
);
create index wallet_transactions_user on wallet_transactions (user_id, seq desc);
create index wallet_transactions_booking on wallet_transactions (booking_id);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'wallet_transactions is append-only: correct a balance by a new entry';
end $$;
create trigger wallet_transactions_append_only before update or delete on wallet_transactions
  for each row execute function refuse_ledger_change();
create trigger wallet_transactions_no_truncate before truncate on wallet_transactions
  for each statement execute function refuse_ledger_change();

create table credit_packs (
  id uuid primary key default gen_random_uuid(),
  pack_key text not null unique,
  pack_name text not null,
  price_eur numeric(12, 2) not null check (price_eur > 0),
  total_credit_eur numeric(12, 2) not null check (total_credit_eur > 0),
  is_active boolean not null default true,
  stripe_checkout_link text,
  stripe_payment_link_id text unique,
  stripe_price_id text unique,
  created_at timestamptz not null default now()
);
create index credit_packs_active on credit_packs (price_eur) where is_active;

create table monthly_game_progress (
  user_id uuid not null references profiles on delete cascade,
  month_year text not null check (month_year ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  games_completed integer not null default 0 check (games_completed >= 0),
  reward_claimed boolean not null default false,
  primary key (user_id, month_year)
);
