-- What players want to hear of, what was sent to them, and the browsers that show it.

-- A kind without a row is on, by email and by push.
create table notification_settings (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  email boolean not null default true,
  push boolean not null default true,
  primary key (user_id, kind)
);

-- Written in the transaction that queues the jobs, so that each is sent once.
create table notifications_sent (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  -- The id of what it is about, and what tells it from an earlier one: a booking and its kick-off.
  subject text not null,
  sent_at timestamptz not null,
  primary key (user_id, kind, subject)
);
create index notifications_sent_sent_at on notifications_sent (sent_at);

-- Push (RFC 8030) to one browser. It belongs to the session there and ends with it, however that
-- ends, so that nobody else who uses the browser sees it.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  session_id uuid not null unique references sessions on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null
);
create index push_subscriptions_user on push_subscriptions (user_id, created_at);
