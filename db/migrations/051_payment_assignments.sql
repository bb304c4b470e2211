-- An organiser who gives an unmatched payment to a player can take that back. The payment stays, with the
-- number of its receipt, and belongs to nobody until it is given again: then its ledger entry has another
-- key, because the ledger keeps the first.
alter table payments
  alter column user_id drop not null,
  add column assignments integer not null default 1 check (assignments > 0);
alter table payments
  add column ledger_key text not null generated always as (
    'payment:' || stripe_object_id || case when assignments > 1 then ':' || assignments::text else '' end
  ) stored;

create table payment_assignments (
  id uuid primary key default gen_random_uuid(),
  event_id text not null references stripe_events on delete cascade,
  payment_id uuid not null references payments on delete restrict,
  user_id uuid not null references profiles on delete restrict,
  -- Where it made a customer of Stripe this player's.
  customer_id text,
  -- The event without what names the payer, and why it was unmatched: it is that again when taken back.
  payload jsonb not null,
  reason text not null,
  assigned_at timestamptz not null,
  taken_back_at timestamptz
);
create index payment_assignments_event on payment_assignments (event_id);
create index payment_assignments_user on payment_assignments (user_id);
create index payment_assignments_latest on payment_assignments (assigned_at) where taken_back_at is null;
-- A payment belongs to one player at a time.
create unique index payment_assignments_current on payment_assignments (payment_id)
  where taken_back_at is null;
