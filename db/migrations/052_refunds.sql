-- A refund that an organiser asked Stripe for. Its id is the idempotency key, so it is paid once however
-- often it is asked for; what became of it is Stripe's word.
create table refunds (
  id uuid primary key,
  -- The checkout session or invoice, and the payment intent that Stripe refunds.
  stripe_object_id text not null,
  payment_intent_id text not null,
  -- Where no player had the payment: the event that waited. Without a key, as events may be deleted.
  event_id text,
  user_id uuid references profiles on delete restrict,
  -- In the currency's smallest unit.
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null default 'asked' check (
    status in ('asked', 'pending', 'requires_action', 'succeeded', 'failed', 'canceled')
  ),
  stripe_refund_id text unique,
  asked_at timestamptz not null,
  constraint refunds_known check (status in ('asked', 'failed') or stripe_refund_id is not null)
);
create index refunds_object on refunds (stripe_object_id);
create index refunds_intent on refunds (payment_intent_id);
create index refunds_user on refunds (user_id);
