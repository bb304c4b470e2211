-- How hard a game is played, and what its players have to know. Only those who play read the notes:
-- they may hold the code of a gate.

alter table games
  add column level text check (level in ('All levels', 'Relaxed', 'Competitive')),
  add column player_notes text not null default '' check (length(player_notes) <= 2000);

alter table venues
  add column player_notes text not null default '' check (length(player_notes) <= 2000);

-- A taken seat is no edit, so the columns that are the plan are listed.
drop trigger games_count_version on games;
create trigger games_count_version
  before update on games
  for each row when (
    (old.title, old.description, old.sport, old.date, old.start_time, old.end_time, old.status,
      old.max_players, old.game_format, old.is_outdoor, old.venue_id, old.price_eur,
      old.is_first_session_free, old.level, old.player_notes)
    is distinct from
    (new.title, new.description, new.sport, new.date, new.start_time, new.end_time, new.status,
      new.max_players, new.game_format, new.is_outdoor, new.venue_id, new.price_eur,
      new.is_first_session_free, new.level, new.player_notes)
  ) execute function count_version();
