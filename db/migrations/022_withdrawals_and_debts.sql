-- A withdrawal takes its credits out at once and gives them back when it ends without a refund; and
-- a debt outlives the account that owes it.

alter table wallet_transactions drop constraint wallet_transactions_type_check;
alter table wallet_transactions add constraint wallet_transactions_type_check check (type in
  ('topup', 'deduction', 'refund', 'credit', 'adjustment', 'expiry', 'reversal', 'withdrawal'));
alter table wallet_transactions drop constraint wallet_transactions_sign;
alter table wallet_transactions add constraint wallet_transactions_sign check (
  case
    when type in ('deduction', 'expiry') then amount_eur < 0
    when type in ('adjustment', 'reversal', 'withdrawal') then true
    else amount_eur > 0
  end
);

alter table withdrawals
  -- Whether the credits were taken with the statement. Those stated before this migration keep the
  -- old rule: their credits go when Stripe reports the refund.
  add column credits_taken boolean not null default false,
  add column outcome text check (outcome in ('refused', 'taken_back')),
  add column ended_at timestamptz,
  add column refused_by uuid references users,
  -- What the organiser wrote to the player. It goes with the account.
  add column refusal_reason text check (length(refusal_reason) between 1 and 1000),
  add constraint withdrawals_ended check ((outcome is null) = (ended_at is null)),
  add constraint withdrawals_refused check ((outcome is not distinct from 'refused')
    = (refused_by is not null)),
  add constraint withdrawals_reason check (refusal_reason is null or outcome = 'refused'),
  add constraint withdrawals_paid_or_ended check (outcome is null or paid_back_at is null);

-- One that was refused or taken back can be stated again.
alter table withdrawals drop constraint withdrawals_payment_id_key;
create index withdrawals_payment on withdrawals (payment_id);
create unique index withdrawals_one_open on withdrawals (payment_id) where outcome is null;

-- Deleted accounts that have paid, by a keyed hash of their address: what they owe, or will owe when
-- a bank takes a payment back, is owed by the next account of that address.
create table former_payers (
  former_id uuid primary key references profiles on delete restrict,
  -- Null once it has been kept long enough.
  address_hash text check (address_hash ~ '^[0-9a-f]{64}$'),
  -- The account that owes it now; null before the address has signed up again.
  user_id uuid references profiles on delete restrict,
  constraint former_payers_another check (user_id <> former_id)
);
create index former_payers_address on former_payers (address_hash);
create index former_payers_user on former_payers (user_id);
