-- Games that one form cancels: all are closed with it, and refunded one after another by a job.
create table bulk_cancellations (
  -- The form's key: sent again, it is the same cancellation.
  id uuid primary key,
  cancelled_by uuid not null references users on delete restrict,
  message text check (length(message) <= 5000),
  created_at timestamptz not null
);
create index bulk_cancellations_author on bulk_cancellations (cancelled_by);

create table bulk_cancellation_games (
  cancellation_id uuid not null references bulk_cancellations on delete cascade,
  game_id uuid not null references games on delete cascade,
  -- Why it was left as it is: another than the form showed, begun or closed before, or played.
  skipped text check (skipped in ('changed', 'closed', 'played')),
  -- What the refunds came to; null until then.
  players integer,
  refunded_eur numeric(12, 2),
  finished_at timestamptz,
  primary key (cancellation_id, game_id),
  constraint bulk_cancellation_games_skipped check (skipped is null or finished_at is not null)
);
create index bulk_cancellation_games_game on bulk_cancellation_games (game_id);
create index bulk_cancellation_games_unfinished on bulk_cancellation_games (cancellation_id)
  where finished_at is null;
