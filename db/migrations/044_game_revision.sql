-- One number for whatever is shown of a game: each update of its row raises it, and so does a change
-- that is no column of it, by an update of its own (docs/decisions/056). Pages compare it with the one
-- that they were loaded with. `waitlist_version` stays for the version before, which reads it.
alter table games add column revision integer not null default 0;

create function count_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger games_count_revision before update on games
  for each row execute function count_revision();

create or replace trigger games_notify_live after update on games
  for each row when (old.revision is distinct from new.revision)
  execute function notify_live_game();
