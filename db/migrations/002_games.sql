-- Places and games. Dates and times are wall clock in Europe/Helsinki and the truth; instants are
-- generated from them, so that a row edited by SQL stays consistent.

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
  created_at timestamptz not null default now()
);
create index venues_name on venues (name);
create index venues_city on venues (city);

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
  -- Live bookings (Paid or Unpaid), kept by the trigger on bookings in the same statement.
  seats_taken integer not null default 0,
  starts_at timestamptz not null
    generated always as ((date + start_time) at time zone 'Europe/Helsinki') stored,
  -- An end before the start is past midnight.
  ends_at timestamptz not null generated always as (
    (date + end_time + case when end_time < start_time then interval '1 day' else interval '0' end)
      at time zone 'Europe/Helsinki'
  ) stored,
  created_at timestamptz not null default now(),
  constraint games_seats_within_capacity check (seats_taken between 0 and max_players)
);
-- The list of games to come: Published, not over, by kick-off.
create index games_published_by_end on games (ends_at) where status = 'Published';
create index games_venue on games (venue_id, starts_at) where status = 'Published';

create table bookings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles on delete restrict,
  game_id uuid not null references games on delete restrict,
  payment_status text not null
    check (payment_status in ('Paid', 'Unpaid', 'Refunded', 'Cancelled')),
  -- As sold: what was paid, and the rule under which it can be given back.
  price_eur numeric(12, 2) not null default 10 check (price_eur >= 0),
  refund_hours integer not null default 24 check (refund_hours >= 0),
  refund_fee_eur numeric(12, 2) not null default 0.99 check (refund_fee_eur >= 0),
  -- Uses up the player's one free first session, also after a cancellation by the player.
  uses_free_session boolean not null default false,
  cancelled_at timestamptz,
  cancel_reason text check (length(cancel_reason) <= 500),
  created_at timestamptz not null default now()
);
create unique index bookings_one_live_per_game on bookings (game_id, user_id)
  where payment_status in ('Paid', 'Unpaid');
create unique index bookings_one_free_session on bookings (user_id) where uses_free_session;
create index bookings_user on bookings (user_id, created_at desc);
create index bookings_game on bookings (game_id, created_at);

create function count_seat() returns trigger language plpgsql as $$
declare
  before_seat integer := 0;
  after_seat integer := 0;
begin
  if tg_op <> 'INSERT' and old.payment_status in ('Paid', 'Unpaid') then before_seat := 1; end if;
  if tg_op <> 'DELETE' and new.payment_status in ('Paid', 'Unpaid') then after_seat := 1; end if;
  if tg_op = 'UPDATE' and old.game_id <> new.game_id then
    raise exception 'a booking cannot move to another game';
  end if;
  if before_seat <> after_seat then
    update games set seats_taken = seats_taken + after_seat - before_seat
    where id = coalesce(new.game_id, old.game_id);
  end if;
  return null;
end $$;
create trigger bookings_count_seat after insert or update or delete on bookings
  for each row execute function count_seat();
