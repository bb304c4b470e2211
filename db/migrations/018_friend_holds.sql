-- A spot that a player holds for a friend, for half an hour, and who came with whom.

-- A hold has the random key of its form as its id; its token is the secret of the link.
create table friend_holds (
  id uuid primary key default gen_random_uuid(),
  game_id uuid not null references games on delete restrict,
  user_id uuid not null references profiles on delete restrict,
  token text not null unique,
  status text not null default 'Held' check (status in ('Held', 'Taken', 'Lapsed', 'GivenBack')),
  expires_at timestamptz not null,
  -- Whose booking it became. Checked at the end: the spot has to be free before it is booked.
  booking_id uuid unique references bookings on delete restrict deferrable initially deferred,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint friend_holds_ended check ((status = 'Held') = (ended_at is null)),
  constraint friend_holds_taken check ((status = 'Taken') = (booking_id is not null))
);
create unique index friend_holds_one_live_per_game on friend_holds (game_id, user_id)
  where status = 'Held';
create index friend_holds_game on friend_holds (game_id, user_id, created_at);
create index friend_holds_user on friend_holds (user_id, created_at);
create trigger friend_holds_require_account before insert on friend_holds
  for each row execute function require_account();

-- Beside the offers of the waitlist, which count_held_spot counts.
create function count_friend_hold() returns trigger language plpgsql as $$
declare
  held_before integer := 0;
  held_after integer := 0;
begin
  if tg_op <> 'INSERT' and old.status = 'Held' then held_before := 1; end if;
  if tg_op <> 'DELETE' and new.status = 'Held' then held_after := 1; end if;
  if held_before <> held_after then
    update games set spots_held = spots_held + held_after - held_before
    where id = coalesce(new.game_id, old.game_id);
  end if;
  return null;
end $$;
create trigger friend_holds_count_held after insert or update or delete on friend_holds
  for each row execute function count_friend_hold();
