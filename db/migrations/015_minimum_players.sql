-- The least players for whom a game is played, and when that is decided.

alter table games
  add column min_players integer,
  -- The time of the decision, as hours before kick-off, so that it moves with the game.
  add column decides_hours numeric(7, 2) not null default 3 check (decides_hours >= 0),
  -- Kept by the trigger below; one that is written by SQL is taken over into the hours.
  add column decides_at timestamptz,
  add column decision text check (decision in ('On', 'PlayAnyway', 'CalledOff')),
  add column decided_at timestamptz,
  -- When the organisers were warned that there are too few players.
  add column decision_warned_at timestamptz,
  add constraint games_min_players check (min_players between 1 and max_players),
  add constraint games_decides_at check (
    (min_players is null) = (decides_at is null) and decides_at <= starts_at),
  add constraint games_decided check ((decision is null) = (decided_at is null));
create index games_to_decide on games (decides_at)
  where status = 'Published' and decision is null and decides_at is not null;

-- A generated column is not known yet in a trigger before the row is written.
create function set_decision() returns trigger language plpgsql as $$
declare
  kick_off timestamptz := (new.date + new.start_time) at time zone 'Europe/Helsinki';
  is_new boolean := tg_op = 'INSERT';
begin
  if new.min_players is null and (is_new or old.min_players is not null) then
    new.decides_at := null;
  elsif new.decides_at is not null and (is_new or new.decides_at is distinct from old.decides_at) then
    new.decides_hours := greatest(0, round(extract(epoch from kick_off - new.decides_at) / 3600, 2));
  elsif new.min_players is not null and (is_new or new.decides_at is null or
    (new.date, new.start_time, new.decides_hours)
      is distinct from (old.date, old.start_time, old.decides_hours)) then
    new.decides_at := kick_off - make_interval(secs => new.decides_hours * 3600);
  end if;
  -- Another minimum or another time is decided again.
  if not is_new and (new.min_players, new.decides_at)
    is distinct from (old.min_players, old.decides_at) then
    new.decision := null;
    new.decided_at := null;
    new.decision_warned_at := null;
  end if;
  return new;
end $$;
create trigger games_set_decision
  before insert or update of date, start_time, min_players, decides_hours, decides_at on games
  for each row execute function set_decision();

-- A taken seat is no edit, and neither is a decision, so the columns that are the plan are listed.
drop trigger games_count_version on games;
create trigger games_count_version
  before update on games
  for each row when (
    (old.title, old.description, old.sport, old.date, old.start_time, old.end_time, old.status,
      old.max_players, old.game_format, old.is_outdoor, old.venue_id, old.price_eur,
      old.is_first_session_free, old.level, old.player_notes, old.min_players, old.decides_hours,
      old.decides_at)
    is distinct from
    (new.title, new.description, new.sport, new.date, new.start_time, new.end_time, new.status,
      new.max_players, new.game_format, new.is_outdoor, new.venue_id, new.price_eur,
      new.is_first_session_free, new.level, new.player_notes, new.min_players, new.decides_hours,
      new.decides_at)
  ) execute function count_version();
