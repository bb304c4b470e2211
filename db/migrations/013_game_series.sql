-- Games that repeat weekly: each is a game of its own, held together by the id of its series.
alter table games add column series_id uuid;
create index games_series on games (series_id, starts_at) where series_id is not null;

-- The desk's list, whatever its filters: every status (of every venue) in the order of kick-off.
create index games_desk on games (status, starts_at, id);
create index games_desk_of_venue on games (venue_id, status, starts_at, id);
