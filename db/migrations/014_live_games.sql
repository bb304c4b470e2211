-- Every web process learns of each game whose spots change, by the app or by SQL (docs/decisions/029).
-- Notifications of one transaction with the same payload are sent once, when it commits.
create function notify_live_game() returns trigger language plpgsql as $$
begin
  perform pg_notify('live_games', new.id::text);
  return null;
end $$;
create trigger games_notify_live after update on games
  for each row when (
    (old.seats_taken, old.spots_held, old.max_players, old.status)
    is distinct from
    (new.seats_taken, new.spots_held, new.max_players, new.status)
  ) execute function notify_live_game();
