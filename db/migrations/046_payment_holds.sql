-- A player's intention to join a game, made by the button that leads to the payment, and the spot that
-- it holds meanwhile (docs/decisions/064). The job that books takes its id as the booking's.
create table payment_holds (
  id uuid primary key default gen_random_uuid(),
  game_id uuid not null references games on delete restrict,
  user_id uuid not null references profiles on delete restrict,
  -- A lapsed one holds no spot, but money that still arrives may book.
  status text not null default 'Held'
    check (status in ('Held', 'Lapsed', 'Booked', 'Declined', 'GivenBack')),
  -- False where an offer or a friend keeps the spot already, or two were left unpaid before.
  holds_spot boolean not null,
  -- What the button's page said of the game, its price and its cancellation.
  shown jsonb not null,
  friend_token text,
  -- The checkout session that pays, or the subscription: known with the first event about it.
  session_id text unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  paid_at timestamptz,
  ended_at timestamptz,
  declined_reason text,
  constraint payment_holds_ended check ((status = 'Held') = (ended_at is null)),
  constraint payment_holds_declined check ((status = 'Declined') = (declined_reason is not null)),
  constraint payment_holds_paid check (paid_at is null or session_id is not null)
);
create unique index payment_holds_one_live on payment_holds (user_id)
  where status = 'Held' and paid_at is null;
create index payment_holds_held on payment_holds (game_id) where status = 'Held';
create index payment_holds_to_book on payment_holds (paid_at)
  where status in ('Held', 'Lapsed') and paid_at is not null;
create index payment_holds_user on payment_holds (user_id, created_at);
create index payment_holds_game on payment_holds (game_id, user_id);
create trigger payment_holds_require_account before insert on payment_holds
  for each row execute function require_account();

-- Beside the offers of the waitlist and the spots held for friends. All of it is written under the
-- game's lock; a declined one wakes the pages of its game too.
create function count_payment_hold() returns trigger language plpgsql as $$
declare
  held_before integer := 0;
  held_after integer := 0;
begin
  if tg_op <> 'INSERT' and old.status = 'Held' and old.holds_spot then held_before := 1; end if;
  if tg_op <> 'DELETE' and new.status = 'Held' and new.holds_spot then held_after := 1; end if;
  if held_before <> held_after
    or (tg_op = 'UPDATE' and new.status = 'Declined' and old.status <> 'Declined') then
    update games set spots_held = spots_held + held_after - held_before, revision = revision + 1
    where id = coalesce(new.game_id, old.game_id);
  end if;
  return null;
end $$;
create trigger payment_holds_count_held after insert or update or delete on payment_holds
  for each row execute function count_payment_hold();
