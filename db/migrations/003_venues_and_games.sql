-- Venues and games. Dates and times are wall-clock times in Europe/Helsinki and the source of truth;
-- instants are generated from them, so that a row edited by SQL stays consistent.

-- Counts every edit, also by SQL, so that the second of two people who edit the same thing sees
-- what the first one changed. Packs, partners and legal pages count theirs too.
create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

create table venues (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 120),
  city text not null check (length(city) between 1 and 60),
  address text,
  description text not null default '',
  maps_url text,
  website text,
  photo_urls text[] not null default '{}',
  photo_alts text[] not null default '{}',
  -- A hidden venue is in no list and takes no new games; its existing games stay.
  is_hidden boolean not null default false,
  created_at timestamptz not null default now(),
  version integer not null default 1
);
create index venues_by_name on venues (name, id);
create index venues_city on venues (city);
create trigger venues_count_version before update on venues
  for each row when (old.* is distinct from new.*) execute function count_version();

create table games (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 120),
  description text not null default '',
  sport text not null default 'Futsal',
  date date not null,
  start_time time not null,
  end_time time not null check (end_time <> start_time),
  status text not null default 'Draft'
    check (status in ('Draft', 'Published', 'Cancelled', 'Completed')),
  max_players integer not null check (max_players between 1 and 200),
  game_format text not null default '5v5',
  is_outdoor boolean not null default false,
  venue_id uuid not null references venues on delete restrict,
  price_eur numeric(12, 2) not null default 10 check (price_eur >= 0),
  is_first_session_free boolean not null default false,
  -- Weekly games are rows of their own that share a series.
  series_id uuid,
  -- Live bookings (Paid or Unpaid), kept by the trigger on bookings in the same statement.
  seats_taken integer not null default 0,
  starts_at timestamptz not null
    generated always as ((date + start_time) at time zone 'Europe/Helsinki') stored,
  -- An end before the start is after midnight.
  ends_at timestamptz not null generated always as (
    (date + end_time + case when end_time < start_time then interval '1 day' else interval '0' end)
      at time zone 'Europe/Helsinki'
  ) stored,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  constraint games_seats_within_capacity check (seats_taken between 0 and max_players)
);
-- Players see published games that are not over, by kick-off.
create index games_published_by_end on games (ends_at) where status = 'Published';
create index games_venue on games (venue_id, starts_at) where status = 'Published';
create index games_series on games (series_id, starts_at) where series_id is not null;
-- Admins list games of every status (and of one venue) by kick-off.
create index games_by_status on games (status, starts_at, id);
create index games_by_venue_and_status on games (venue_id, status, starts_at, id);

-- A taken seat is no edit, so the columns that are the plan are listed.
create trigger games_count_version
  before update on games
  for each row when (
    (old.title, old.description, old.sport, old.date, old.start_time, old.end_time, old.status,
      old.max_players, old.game_format, old.is_outdoor, old.venue_id, old.price_eur,
      old.is_first_session_free)
    is distinct from
    (new.title, new.description, new.sport, new.date, new.start_time, new.end_time, new.status,
      new.max_players, new.game_format, new.is_outdoor, new.venue_id, new.price_eur,
      new.is_first_session_free)
  ) execute function count_version();

-- Who scored and who won is in bookings. The feature that saves a result counts its version.
create table game_results (
  game_id uuid primary key references games on delete restrict,
  first_score smallint not null check (first_score between 0 and 99),
  second_score smallint not null check (second_score between 0 and 99),
  recorded_at timestamptz not null,
  version integer not null default 1
);

-- A message to everyone in a game, stored once. Deleted after a year.
create table game_messages (
  id uuid primary key,
  game_id uuid not null references games on delete restrict,
  sent_by uuid not null references users on delete restrict,
  subject text not null check (length(subject) between 1 and 120),
  message text not null check (length(message) between 1 and 5000),
  sent_at timestamptz not null
);
create index game_messages_game on game_messages (game_id);
create index game_messages_sent_at on game_messages (sent_at);
