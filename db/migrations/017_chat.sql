-- The chat of a game, created with the game. It hands out the numbers of its messages: whoever
-- writes holds this row until the commit, so numbers have no gaps and are in the order of commits.
create table chats (
  game_id uuid primary key references games on delete cascade,
  last_number integer not null default 0 check (last_number >= 0)
);
insert into chats (game_id) select id from games;

create function open_chat() returns trigger language plpgsql as $$
begin
  insert into chats (game_id) values (new.id);
  return new;
end $$;
create trigger games_open_chat after insert on games
  for each row execute function open_chat();

-- It refers to the chat, since a reference to the game would wait for a join that waits for the chat.
create table chat_messages (
  id uuid primary key default gen_random_uuid(),
  game_id uuid not null references chats on delete restrict,
  number integer not null check (number > 0),
  -- Null once the account is deleted.
  user_id uuid references users on delete restrict,
  kind text not null default 'Text' check (kind in ('Text', 'FirstGame', 'Announcement')),
  body text,
  created_at timestamptz not null default now(),
  pinned_at timestamptz,
  removed_at timestamptz,
  removed_by text check (removed_by in ('Author', 'Organiser', 'AccountDeleted')),
  constraint chat_messages_number unique (game_id, number),
  -- An announcement is a subject of 120, a line break and a message of 5000.
  constraint chat_messages_body check (
    length(body) between 1 and case kind when 'Announcement' then 5121 else 500 end),
  constraint chat_messages_removed check (
    (removed_at is null) = (removed_by is null) and (removed_at is null) = (body is not null))
);
-- For the limits of an account, its export and its erasure.
create index chat_messages_user on chat_messages (user_id, created_at);
create index chat_messages_pinned on chat_messages (game_id) where pinned_at is not null;
create trigger chat_messages_require_account before insert on chat_messages
  for each row when (new.user_id is not null) execute function require_account();

-- Who has played before is no newcomer.
update profiles set join_message_posted = true
where deleted_at is null and exists (select from bookings where bookings.user_id = profiles.user_id);
