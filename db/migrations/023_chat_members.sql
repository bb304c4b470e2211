-- What a player has read of the chat of a game, and whether it is pushed. It refers to the chat as the messages do.
create table chat_members (
  user_id uuid not null references profiles on delete restrict,
  game_id uuid not null references chats on delete cascade,
  read_number integer not null default 0 check (read_number >= 0),
  is_muted boolean not null default false,
  primary key (user_id, game_id)
);
-- What was written since the last push is found here, every 15 seconds.
create index chat_messages_recent on chat_messages (created_at);
create index chat_members_game on chat_members (game_id);
create trigger chat_members_require_account before insert on chat_members
  for each row execute function require_account();

-- A chat message that a player has reported is a ticket with its text, which is there also when the
-- message is removed.
alter table support_messages
  drop constraint support_messages_kind_check,
  add constraint support_messages_kind_check check (kind in ('message', 'withdrawal', 'report')),
  -- Null once the chat is deleted.
  add column reported_message_id uuid references chat_messages on delete set null,
  add column reported_user_id uuid references profiles on delete restrict,
  add constraint support_messages_report
    check ((kind = 'report') = (reported_user_id is not null)
      and (kind = 'report' or reported_message_id is null)),
  add constraint support_messages_reported_once unique (reported_message_id, user_id);
create index support_messages_reported_user on support_messages (reported_user_id)
  where reported_user_id is not null;

-- Whose messages a player does not want to read. The other one does not learn of it.
create table player_blocks (
  user_id uuid not null references profiles on delete restrict,
  blocked_id uuid not null references profiles on delete restrict,
  created_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  constraint player_blocks_another check (user_id <> blocked_id)
);
create index player_blocks_blocked on player_blocks (blocked_id);
create trigger player_blocks_require_account before insert on player_blocks
  for each row execute function require_account();
