-- No-shows are counted for each player, and can be excused.

alter table bookings
  add column no_show_excused_at timestamptz,
  add column no_show_excused_by uuid references users on delete restrict,
  -- For organisers alone. Null once the player's account is deleted.
  add column no_show_excuse text check (length(no_show_excuse) between 1 and 200),
  add constraint bookings_excuse check (
    (no_show_excused_at is null) = (no_show_excused_by is null)
    and (no_show_excuse is null or no_show_excused_at is not null)
    and (no_show_excused_at is null or attendance is not distinct from 'NoShow')
  );
create index bookings_no_shows_of on bookings (user_id) where attendance = 'NoShow';

-- A mark still counts when the organiser takes the player off the list.
drop index bookings_marked;
create index bookings_marked
  on bookings (game_id, attendance) include (payment_status, end_reason, no_show_excused_at)
  where attendance is not null;

create index users_suspended_ids on users (id) where suspended_at is not null;
create index if not exists bookings_unpaid on bookings (game_id) where payment_status = 'Unpaid';
create index withdrawals_waiting on withdrawals (stated_at)
  where outcome is null and paid_back_at is null;
