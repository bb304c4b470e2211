-- The waitlist of a full game, the spots that are held for those who are asked first, and what comes
-- back for a spot that was given up late and taken by somebody else.

alter table games
  -- Spots of nobody yet that nobody else can take, kept by the trigger below.
  add column spots_held integer not null default 0 check (spots_held >= 0),
  add constraint games_spots_within_capacity check (seats_taken + spots_held <= max_players);

alter table bookings
  -- Null unless it was cancelled too late for a refund: what comes back once somebody takes the spot.
  add column late_refund_eur numeric(12, 2) check (late_refund_eur > 0),
  -- Until then it can be given back for its full price, after a late promotion.
  add column free_cancel_until timestamptz;
create index bookings_late_refunds on bookings (game_id, cancelled_at, id)
  where payment_status = 'Cancelled' and late_refund_eur is not null;

-- A place on the list has the random key of its form as its id.
create table waitlist_entries (
  id uuid primary key default gen_random_uuid(),
  game_id uuid not null references games on delete restrict,
  user_id uuid not null references profiles on delete restrict,
  mode text not null check (mode in ('auto', 'ask')),
  status text not null default 'Waiting'
    check (status in ('Waiting', 'Offered', 'Promoted', 'Left', 'Lapsed')),
  -- What was agreed to: this text, at most this price, and no later than so long before kick-off.
  -- The defaults are for places written by SQL.
  agreed_text text not null default '',
  agreed_version integer not null default 0,
  agreed_at timestamptz not null default now(),
  -- The form that agreed last: a repeat of it does nothing.
  agreed_key uuid not null default gen_random_uuid(),
  -- The game as it was then, or when its player was asked again; null: as it is.
  game_starts_at timestamptz,
  game_venue_id uuid,
  max_price_eur numeric(12, 2) not null check (max_price_eur >= 0),
  until_hours integer not null default 0 check (until_hours in (0, 1, 3, 6, 12, 24)),
  not_after timestamptz not null,
  -- The game has changed since: it has to be agreed to again.
  needs_consent boolean not null default false,
  offer_expires_at timestamptz,
  -- Who has not answered is behind those who were not asked yet.
  missed_offers integer not null default 0,
  -- Why a spot went to somebody behind, of which its player was told.
  passed_over text check (passed_over in ('credits', 'debt', 'suspended', 'busy')),
  end_reason text check (end_reason in
    ('Left', 'Removed', 'TimePassed', 'GameCancelled', 'GameStarted', 'AccountDeleted')),
  booking_id uuid references bookings on delete restrict,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint waitlist_entries_ended check (
    (status in ('Waiting', 'Offered')) = (ended_at is null)),
  constraint waitlist_entries_offer check ((status = 'Offered') = (offer_expires_at is not null)),
  constraint waitlist_entries_promoted check ((status = 'Promoted') = (booking_id is not null))
);
create unique index waitlist_entries_one_live_per_game on waitlist_entries (game_id, user_id)
  where status in ('Waiting', 'Offered');
create index waitlist_entries_order on waitlist_entries (game_id, missed_offers, created_at, id)
  where status in ('Waiting', 'Offered');
create index waitlist_entries_user on waitlist_entries (user_id, created_at desc);
create index waitlist_entries_booking on waitlist_entries (booking_id);
create trigger waitlist_entries_require_account before insert on waitlist_entries
  for each row execute function require_account();

create function count_held_spot() returns trigger language plpgsql as $$
declare
  held_before integer := 0;
  held_after integer := 0;
begin
  if tg_op <> 'INSERT' and old.status = 'Offered' then held_before := 1; end if;
  if tg_op <> 'DELETE' and new.status = 'Offered' then held_after := 1; end if;
  if held_before <> held_after then
    update games set spots_held = spots_held + held_after - held_before
    where id = coalesce(new.game_id, old.game_id);
  end if;
  return null;
end $$;
create trigger waitlist_entries_count_held after insert or update or delete on waitlist_entries
  for each row execute function count_held_spot();
