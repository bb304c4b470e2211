-- A tap on the roster names the mark that it was made on, so that a late one changes no newer mark,
-- also where somebody has undone a mark and made it again since.
alter table bookings add column mark_version integer not null default 0;

create function count_mark_version() returns trigger language plpgsql as $$
begin
  new.mark_version := old.mark_version + 1;
  return new;
end $$;
create trigger bookings_count_mark_version before update on bookings
  for each row when (
    (old.attendance, old.no_show_excused_at)
    is distinct from (new.attendance, new.no_show_excused_at)
  ) execute function count_mark_version();
