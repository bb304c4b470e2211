-- What players write to the organiser, what they think of the service, and what they withdraw from.

create table support_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles on delete restrict,
  -- A withdrawal asks the organiser to refund at Stripe; its text is made by the site.
  kind text not null default 'message' check (kind in ('message', 'withdrawal')),
  subject text not null check (length(subject) between 1 and 120),
  message text not null check (length(message) between 1 and 5000),
  status text not null default 'open' check (status in ('open', 'done')),
  created_at timestamptz not null default now()
);
create index support_messages_inbox on support_messages (status, created_at desc);
create index support_messages_user on support_messages (user_id, created_at desc);

create table reviews (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles on delete restrict,
  rating integer not null check (rating between 1 and 5),
  comment text check (length(comment) between 1 and 2000),
  status text not null default 'open' check (status in ('open', 'done')),
  created_at timestamptz not null default now()
);
create index reviews_inbox on reviews (status, created_at desc);
create index reviews_user on reviews (user_id, created_at desc);

-- A player's statement to withdraw from a purchase. Its credits go when Stripe tells the refund.
create table withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles on delete restrict,
  payment_id uuid not null unique references payments on delete restrict,
  -- The credits of it that were unused when it was stated, and the euros to be given back for them.
  credits_eur numeric(12, 2) not null check (credits_eur > 0),
  amount_eur numeric(12, 2) not null check (amount_eur > 0),
  -- What had gone back before: the refund has been made when the payment's is so much more.
  refunded_before_eur numeric(12, 2) not null default 0 check (refunded_before_eur >= 0),
  stated_at timestamptz not null
);
create index withdrawals_user on withdrawals (user_id, stated_at desc);
