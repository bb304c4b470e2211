-- A payment that Stripe has not confirmed yet, such as a bank's (docs/decisions/066). It is bookkeeping,
-- and stays with a deleted account's pseudonym as `payments` do.
create table pending_payments (
  -- The checkout session, under which `payments` has it once it is paid.
  session_id text primary key,
  user_id uuid not null references profiles (user_id),
  -- Null where no pack was sold.
  pack_id uuid references credit_packs (id),
  -- Of payment_holds, where it pays for a game. No foreign key, which would lock it without its game.
  hold_id uuid,
  amount_eur numeric(12, 2) not null check (amount_eur >= 0),
  status text not null default 'Pending' check (status in ('Pending', 'Paid', 'Failed')),
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint pending_payments_ended check ((status = 'Pending') = (ended_at is null))
);
create index pending_payments_user on pending_payments (user_id, created_at);
create index pending_payments_open on pending_payments (created_at) where status = 'Pending';
