-- Every web process learns of each new or removed message, by the app or by SQL (docs/decisions/031).
-- The chat's id, and of a message that was there before its number, since the newest are read anyway.
create function notify_live_chat() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform pg_notify('live_chats', new.game_id::text);
  else perform pg_notify('live_chats', new.game_id::text || ' ' || new.number::text);
  end if;
  return null;
end $$;
create trigger chat_messages_notify_new after insert on chat_messages
  for each row execute function notify_live_chat();
create trigger chat_messages_notify_removed after update on chat_messages
  for each row when (old.removed_by is distinct from new.removed_by)
  execute function notify_live_chat();
