-- A game's sheet at the pitch: who came, what the organiser wrote to them, and how it ended.

-- Who came and who did not. A seat that was given up keeps what was marked; it counts no more.
alter table bookings add column attendance text check (attendance in ('CheckedIn', 'NoShow'));
create index bookings_no_shows on bookings (game_id) where attendance = 'NoShow';

-- Of the result: both are known or neither is.
alter table bookings add column goals smallint check (goals between 0 and 99);
alter table bookings add column has_won boolean;
alter table bookings add constraint bookings_result check ((goals is null) = (has_won is null));

-- The version counts the saves, so that the second of two who save learns of the first.
create table game_results (
  game_id uuid primary key references games on delete restrict,
  first_score smallint not null check (first_score between 0 and 99),
  second_score smallint not null check (second_score between 0 and 99),
  recorded_at timestamptz not null,
  version integer not null default 1
);

-- A message to who is in a game, once for all of them.
create table game_messages (
  id uuid primary key,
  game_id uuid not null references games on delete restrict,
  sent_by uuid not null references users on delete restrict,
  subject text not null check (length(subject) between 1 and 120),
  message text not null check (length(message) between 1 and 5000),
  sent_at timestamptz not null
);
create index game_messages_game on game_messages (game_id);
