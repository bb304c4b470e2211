-- What organisers edit counts its versions, however it is edited, so that the second of two who
-- edit the same thing learns what the first one changed. Seats and bookings are no edits.

create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

alter table venues add column version integer not null default 1;
create trigger venues_count_version before update on venues
  for each row when (old.* is distinct from new.*) execute function count_version();

alter table games add column version integer not null default 1;
create trigger games_count_version
  before update on games
  for each row when (
    (old.title, old.description, old.sport, old.date, old.start_time, old.end_time, old.status,
      old.max_players, old.game_format, old.is_outdoor, old.venue_id, old.price_eur,
      old.is_first_session_free)
    is distinct from
    (new.title, new.description, new.sport, new.date, new.start_time, new.end_time, new.status,
      new.max_players, new.game_format, new.is_outdoor, new.venue_id, new.price_eur,
      new.is_first_session_free)
  ) execute function count_version();

alter table partners add column version integer not null default 1;
create trigger partners_count_version before update on partners
  for each row when (old.* is distinct from new.*) execute function count_version();

alter table legal_pages add column version integer not null default 1;
create trigger legal_pages_count_version before update on legal_pages
  for each row when (old.* is distinct from new.*) execute function count_version();

alter table credit_packs add column version integer not null default 1;
create trigger credit_packs_count_version before update on credit_packs
  for each row when (old.* is distinct from new.*) execute function count_version();
