-- What organisers tell everybody by email (docs/decisions/072). The text is kept, to show what was agreed
-- to be announced; to whom it went is kept as long as any notification that was sent.
create table announcements (
  id uuid primary key,
  -- News can be switched off; what is important cannot.
  kind text not null check (kind in ('news', 'important-announcement')),
  audience text not null check (audience in ('everybody', 'played', 'venue')),
  -- Of those who have played: in so many days until then.
  days integer check (days between 1 and 730),
  venue_id uuid references venues on delete set null,
  subject text not null check (char_length(subject) between 1 and 120),
  message text not null check (char_length(message) between 1 and 5000),
  recipients integer not null check (recipients > 0),
  created_by uuid not null references users on delete restrict,
  created_at timestamptz not null,
  stopped_at timestamptz,
  -- Once its recipients are deleted: their numbers.
  closed_at timestamptz,
  sent integer,
  unsure integer,
  undelivered integer,
  constraint announcements_days check ((audience = 'played') = (days is not null)),
  constraint announcements_closed check (
    (closed_at is null) = (sent is null) and (closed_at is null) = (unsure is null)
    and (closed_at is null) = (undelivered is null)
  )
);
create index announcements_created on announcements (created_at, id);

create table announcement_recipients (
  id bigint generated always as identity primary key,
  announcement_id uuid not null references announcements on delete restrict,
  -- Null once the account is deleted: what was sent still counts.
  user_id uuid references users on delete restrict,
  -- When the job of the email was queued; null again where the announcement was stopped before it.
  queued_at timestamptz,
  -- Of news: when its email was handed to the mail server. Where nothing is known of it after that,
  -- because the worker was killed, it is not sent again: unsure.
  begun_at timestamptz,
  outcome text check (outcome in ('sent', 'left-out', 'unsure')),
  ended_at timestamptz,
  constraint announcement_recipients_once unique (announcement_id, user_id),
  constraint announcement_recipients_gone check (user_id is not null or outcome is not null),
  constraint announcement_recipients_ended check ((outcome is null) = (ended_at is null)),
  constraint announcement_recipients_queued check (outcome is null or queued_at is not null)
);
create index announcement_recipients_user on announcement_recipients (user_id);
create index announcement_recipients_waiting on announcement_recipients (announcement_id, id)
  where queued_at is null;
create index announcement_recipients_queued on announcement_recipients (queued_at)
  where queued_at is not null;
