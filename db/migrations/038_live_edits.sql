-- Open pages follow whatever they show of a game: each change of its row, and of its venue's
-- (docs/decisions/049). A column that is added later is followed too.
drop trigger games_notify_live on games;
create trigger games_notify_live after update on games
  for each row when (old.* is distinct from new.*) execute function notify_live_game();

-- Games of a venue, which are not over; their rows stay, so nothing waits for their locks.
create function notify_games_of_venue() returns trigger language plpgsql as $$
begin
  perform pg_notify('live_games', id::text) from games
  where venue_id = new.id and status = 'Published' and ends_at > now();
  return null;
end $$;
create trigger venues_notify_live after update on venues
  for each row when (old.version is distinct from new.version)
  execute function notify_games_of_venue();
