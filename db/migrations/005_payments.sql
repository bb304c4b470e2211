-- Payments by Stripe, and where a wallet's credits came from: lots with their expiry.

alter table wallet_transactions drop constraint wallet_transactions_type_check;
alter table wallet_transactions add constraint wallet_transactions_type_check check
  (type in ('topup', 'deduction', 'refund', 'credit', 'adjustment', 'expiry', 'reversal'));
-- 'reversal' is a payment taken back, or given again after a dispute was won: either sign.
alter table wallet_transactions drop constraint wallet_transactions_sign;
alter table wallet_transactions add constraint wallet_transactions_sign check (
  case
    when type in ('deduction', 'expiry') then amount_eur < 0
    when type in ('adjustment', 'reversal') then true
    else amount_eur > 0
  end
);

-- What was spent before its payment was taken back; while it is owed, no game can be joined.
alter table profiles add column wallet_debt_eur numeric(12, 2) not null default 0
  check (wallet_debt_eur >= 0);

-- Who pays as which Stripe customer. One player may be several: each checkout may make a new one.
create table stripe_customers (
  customer_id text primary key,
  user_id uuid not null references profiles on delete restrict,
  created_at timestamptz not null default now()
);
create index stripe_customers_user on stripe_customers (user_id);

create table subscriptions (
  id text primary key,
  customer_id text not null,
  status text not null,
  cancel_at_period_end boolean not null default false,
  current_period_end timestamptz,
  pack_id uuid references credit_packs on delete restrict,
  -- When Stripe made the event that this state comes from: an older one never overwrites it.
  state_at timestamptz not null
);
create index subscriptions_customer on subscriptions (customer_id);

-- Prices that a pack was sold at before: subscriptions renew at the price they began with.
create table former_pack_prices (
  stripe_price_id text primary key,
  stripe_payment_link_id text unique,
  pack_id uuid not null references credit_packs on delete restrict,
  price_eur numeric(12, 2) not null check (price_eur > 0),
  total_credit_eur numeric(12, 2) not null check (total_credit_eur > 0),
  created_at timestamptz not null default now()
);

-- One row for each thing that was paid, by its business key: a checkout session or an invoice.
create table payments (
  id uuid primary key default gen_random_uuid(),
  stripe_object_id text not null unique,
  user_id uuid not null references profiles on delete restrict,
  pack_id uuid not null references credit_packs on delete restrict,
  amount_eur numeric(12, 2) not null check (amount_eur > 0),
  credits_eur numeric(12, 2) not null check (credits_eur > 0),
  subscription_id text,
  -- So much of the amount went back to the payer, as Stripe says.
  refunded_eur numeric(12, 2) not null default 0 check (refunded_eur >= 0),
  -- So many credits were taken back for it, of which so many are still owed.
  taken_back_eur numeric(12, 2) not null default 0,
  owed_eur numeric(12, 2) not null default 0,
  created_at timestamptz not null default now(),
  constraint payments_taken_back check (taken_back_eur between 0 and credits_eur),
  constraint payments_owed check (owed_eur between 0 and taken_back_eur)
);
create index payments_user on payments (user_id, created_at);
create index payments_subscription on payments (subscription_id);

-- Which paid object a payment intent or a charge belongs to (refunds and disputes name only those),
-- and which subscription a checkout began. Known from whichever event tells it first, maybe before
-- the payment itself.
create table payment_references (
  id text primary key,
  stripe_object_id text not null
);
create index payment_references_object on payment_references (stripe_object_id);

create table disputes (
  id text primary key,
  payment_id uuid not null references payments on delete restrict,
  amount_eur numeric(12, 2) not null check (amount_eur > 0),
  status text not null
);
create index disputes_payment on disputes (payment_id);

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
  -- The ledger entry that granted it; null for balances older than lots.
  transaction_id uuid references wallet_transactions on delete restrict,
  constraint credit_lots_remaining check (remaining_eur >= 0 and remaining_eur <= granted_eur),
  constraint credit_lots_subscription check ((source = 'subscription') = (period_end is not null))
);
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
  for each row execute function refuse_ledger_change();

-- Every event that Stripe sent, by its id. The payload stays only while something is to be done.
create table stripe_events (
  id text primary key,
  type text not null,
  -- What it is about, such as the checkout session or the invoice.
  object_id text not null,
  -- The player whom a checkout names.
  user_id uuid references profiles on delete set null,
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  status text not null check (status in ('applied', 'ignored', 'parked', 'resolved')),
  -- Why it is parked, and what would match it, such as {customer:cus_1}.
  reason text,
  waits_for text[] not null default '{}',
  payload jsonb,
  constraint stripe_events_parked check ((status = 'parked') = (payload is not null)),
  constraint stripe_events_reason check (status <> 'parked' or reason is not null)
);
create index stripe_events_waiting on stripe_events using gin (waits_for) where status = 'parked';
create index stripe_events_parked_list on stripe_events (received_at) where status = 'parked';
create index stripe_events_object on stripe_events (object_id);

-- Credits that stand in wallets already.
insert into credit_lots (user_id, source, granted_eur, remaining_eur)
select user_id, 'adjustment', wallet_balance_eur, wallet_balance_eur
from profiles where wallet_balance_eur > 0;

-- The features keep lots themselves and always name their deed by a business key. An entry that is
-- written by SQL alone has none; it moves lots by the plain rules, as far as there are any. Its
-- balance it has to move itself.
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
-- Whoever writes one waits for the wallet, as the features do; before the key on profiles is looked
-- at, which would lock it too, and weaker.
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
