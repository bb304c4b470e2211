-- An end that SQL has changed is noticed as well as a kick-off.

alter table waitlist_entries
  -- The game as it was agreed to, like game_starts_at; null: as it is.
  add column game_ends_at timestamptz;

update waitlist_entries set game_ends_at = ends_at
from games where games.id = game_id and waitlist_entries.status in ('Waiting', 'Offered');
