-- Credit packs, and what Stripe reports about their payments.

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
  created_at timestamptz not null default now(),
  version integer not null default 1
);
create index credit_packs_active on credit_packs (price_eur) where is_active;
create trigger credit_packs_count_version before update on credit_packs
  for each row when (old.* is distinct from new.*) execute function count_version();

-- Earlier prices of a pack: a subscription renews at the price it began with.
create table former_pack_prices (
  stripe_price_id text primary key,
  stripe_payment_link_id text unique,
  pack_id uuid not null references credit_packs on delete restrict,
  price_eur numeric(12, 2) not null check (price_eur > 0),
  total_credit_eur numeric(12, 2) not null check (total_credit_eur > 0),
  created_at timestamptz not null default now()
);

-- A player may be several Stripe customers: each checkout may create one.
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
  -- Stripe's time of the event that set this state: an older event never overwrites it.
  state_at timestamptz not null
);
create index subscriptions_customer on subscriptions (customer_id);

-- One row for each paid checkout session or invoice, whose id makes it unique.
create table payments (
  id uuid primary key default gen_random_uuid(),
  stripe_object_id text not null unique,
  user_id uuid not null references profiles on delete restrict,
  pack_id uuid not null references credit_packs on delete restrict,
  amount_eur numeric(12, 2) not null check (amount_eur > 0),
  credits_eur numeric(12, 2) not null check (credits_eur > 0),
  subscription_id text,
  -- How much of the amount Stripe has refunded to the payer.
  refunded_eur numeric(12, 2) not null default 0 check (refunded_eur >= 0),
  -- How many credits were taken back for that, and how many of these are still owed.
  taken_back_eur numeric(12, 2) not null default 0,
  owed_eur numeric(12, 2) not null default 0,
  created_at timestamptz not null default now(),
  constraint payments_taken_back check (taken_back_eur between 0 and credits_eur),
  constraint payments_owed check (owed_eur between 0 and taken_back_eur)
);
create index payments_user on payments (user_id, created_at);
create index payments_subscription on payments (subscription_id);
create index payments_of_period on payments (created_at);

-- Which paid object a payment intent, a charge or a subscription belongs to: refunds and disputes
-- name only those. Any event may bring a reference, even before the payment itself.
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

-- Every event from Stripe, by its id. The payload is kept only while the event is unmatched.
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
  -- Why it is unmatched, and what would match it, such as {customer:cus_1}.
  reason text,
  waits_for text[] not null default '{}',
  payload jsonb,
  constraint stripe_events_parked check ((status = 'parked') = (payload is not null)),
  constraint stripe_events_reason check (status <> 'parked' or reason is not null)
);
create index stripe_events_waiting on stripe_events using gin (waits_for) where status = 'parked';
create index stripe_events_parked_list on stripe_events (received_at) where status = 'parked';
create index stripe_events_object on stripe_events (object_id);
create index stripe_events_user on stripe_events (user_id);
