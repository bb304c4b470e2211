-- Withdrawals from purchases, support messages, reviews, and the organisers' replies.

-- A player's statement to withdraw from a purchase. Its credits leave the wallet at once, and come
-- back when it ends without a refund: rejected by an organiser, or cancelled by the player.
create table withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles on delete restrict,
  payment_id uuid not null references payments on delete restrict,
  -- The credits that were unused at the statement, and the euros to pay back for them.
  credits_eur numeric(12, 2) not null check (credits_eur > 0),
  amount_eur numeric(12, 2) not null check (amount_eur > 0),
  -- Refunded before the statement: the refund is made once the payment's amount exceeds it enough.
  refunded_before_eur numeric(12, 2) not null default 0 check (refunded_before_eur >= 0),
  stated_at timestamptz not null,
  -- False: the credits are taken only when Stripe reports the refund.
  credits_taken boolean not null default false,
  -- The organiser says that the money was sent.
  paid_back_at timestamptz,
  paid_back_by uuid references users,
  outcome text check (outcome in ('refused', 'taken_back')),
  ended_at timestamptz,
  refused_by uuid references users,
  -- What the organiser wrote to the player. Deleted with the account.
  refusal_reason text check (length(refusal_reason) between 1 and 1000),
  constraint withdrawals_paid_back_by_somebody
    check ((paid_back_at is null) = (paid_back_by is null)),
  constraint withdrawals_ended check ((outcome is null) = (ended_at is null)),
  constraint withdrawals_refused check ((outcome is not distinct from 'refused')
    = (refused_by is not null)),
  constraint withdrawals_reason check (refusal_reason is null or outcome = 'refused'),
  constraint withdrawals_paid_or_ended check (outcome is null or paid_back_at is null)
);
create index withdrawals_user on withdrawals (user_id, stated_at desc);
create index withdrawals_payment on withdrawals (payment_id);
-- One that was rejected or cancelled can be stated again.
create unique index withdrawals_one_open on withdrawals (payment_id) where outcome is null;

create table support_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles on delete restrict,
  -- The text of a withdrawal is written by the site: it asks the organiser for a refund at Stripe.
  kind text not null default 'message' check (kind in ('message', 'withdrawal')),
  withdrawal_id uuid unique references withdrawals,
  subject text not null check (length(subject) between 1 and 120),
  message text not null check (length(message) between 1 and 5000),
  status text not null default 'open' check (status in ('open', 'done')),
  created_at timestamptz not null default now()
);
create index support_messages_inbox
  on support_messages (kind, status, created_at desc, id desc);
create index support_messages_user on support_messages (user_id, created_at desc);
create trigger support_messages_require_account before insert on support_messages
  for each row execute function require_account();

create table reviews (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles on delete restrict,
  rating integer not null check (rating between 1 and 5),
  comment text check (length(comment) between 1 and 2000),
  status text not null default 'open' check (status in ('open', 'done')),
  created_at timestamptz not null default now()
);
create index reviews_inbox on reviews (status, created_at desc, id desc);
create index reviews_user on reviews (user_id, created_at desc);
create index reviews_of_period on reviews (created_at) include (rating);
create trigger reviews_require_account before insert on reviews
  for each row execute function require_account();

-- Replies. The form brings the id, so that a form sent twice replies once.
create table letter_answers (
  id uuid primary key,
  message_id uuid references support_messages on delete cascade,
  review_id uuid references reviews on delete cascade,
  answer text not null check (length(answer) between 1 and 5000),
  answered_by uuid not null references users,
  answered_at timestamptz not null,
  constraint letter_answers_of_one_letter check (num_nonnulls(message_id, review_id) = 1)
);
create index letter_answers_message on letter_answers (message_id, answered_at);
create index letter_answers_review on letter_answers (review_id, answered_at);
