-- A no-show that is undone keeps its excuse until the player is checked in.
alter table bookings
  drop constraint bookings_excuse,
  add constraint bookings_excuse check (
    (no_show_excused_at is null) = (no_show_excused_by is null)
    and (no_show_excuse is null or no_show_excused_at is not null)
    and (no_show_excused_at is null or attendance is distinct from 'CheckedIn')
  );
