-- Calendars: the secret address of a player's games, and when a game was last changed, by which
-- calendars tell a newer copy of an event.

create table calendar_feeds (
  user_id uuid primary key references profiles on delete cascade,
  token text not null unique check (token ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default now()
);
create trigger calendar_feeds_require_account before insert on calendar_feeds
  for each row execute function require_account();

alter table games add column changed_at timestamptz not null default now();
alter table venues add column changed_at timestamptz not null default now();

create function stamp_change() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;
-- Triggers run in the order of their names: after the one that counts the version.
create trigger games_stamp_change before update on games
  for each row when (old.version is distinct from new.version) execute function stamp_change();
create trigger venues_stamp_change before update on venues
  for each row when (old.version is distinct from new.version) execute function stamp_change();
