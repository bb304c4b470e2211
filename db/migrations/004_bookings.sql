-- Bookings, the seats that they take, and the monthly challenge.

-- A booking made by a form has the form's random key as its id, so that a form sent twice books once.
create table bookings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles on delete restrict,
  game_id uuid not null references games on delete restrict,
  payment_status text not null
    check (payment_status in ('Paid', 'Unpaid', 'Refunded', 'Cancelled')),
  -- As sold: what was paid, and the rule under which it can be refunded. The defaults, for bookings
  -- written by SQL, are those of features/bookings/rules.ts (db/constraints.test.ts).
  price_eur numeric(12, 2) not null default 10 check (price_eur >= 0),
  refund_hours integer not null default 24 check (refund_hours >= 0),
  refund_fee_eur numeric(12, 2) not null default 0.99 check (refund_fee_eur >= 0),
  -- Uses up the player's one free first session, even when the player cancels later.
  uses_free_session boolean not null default false,
  cancelled_at timestamptz,
  cancel_reason text check (length(cancel_reason) <= 500),
  -- The key of the form that cancelled it: the same form sent again gets the same result.
  cancel_form_key uuid,
  -- Kept when the seat is given up, but no longer counted.
  attendance text check (attendance in ('CheckedIn', 'NoShow')),
  goals smallint check (goals between 0 and 99),
  has_won boolean,
  created_at timestamptz not null default now(),
  constraint bookings_result check ((goals is null) = (has_won is null))
);
create unique index bookings_one_live_per_game on bookings (game_id, user_id)
  where payment_status in ('Paid', 'Unpaid');
create unique index bookings_one_free_session on bookings (user_id) where uses_free_session;
create index bookings_user on bookings (user_id, created_at desc);
create index bookings_game on bookings (game_id, created_at);
create index bookings_no_shows on bookings (game_id) where attendance = 'NoShow';
create index bookings_marked on bookings (game_id, attendance)
  where attendance is not null and payment_status in ('Paid', 'Unpaid');

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

-- The monthly challenge; months are counted in Europe/Helsinki.
create table monthly_game_progress (
  user_id uuid not null references profiles on delete cascade,
  month_year text not null check (month_year ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  games_completed integer not null default 0 check (games_completed >= 0),
  reward_claimed boolean not null default false,
  claim_form_key uuid,
  primary key (user_id, month_year)
);
