-- How far the pushes of a chat have got for each of its players, so that a round every 15 seconds looks
-- at what came since and not at all that was sent.
alter table chat_members
  -- Players' messages up to this number are told by a push, and when the last was sent.
  add column pushed_number integer not null default 0 check (pushed_number >= 0),
  add column pushed_at timestamptz,
  -- Organisers' messages, which are pushed each.
  add column organiser_pushed_number integer not null default 0
    check (organiser_pushed_number >= 0);

with sent as (
  select user_id, split_part(subject, ' ', 1)::uuid as game_id,
    max(sent_at) filter (where kind = 'chat') as pushed_at,
    max(split_part(subject, ' ', 2)::integer) filter (where kind = 'chat-organiser') as number
  from notifications_sent where kind in ('chat', 'chat-organiser') group by 1, 2
)
insert into chat_members (user_id, game_id, pushed_number, pushed_at, organiser_pushed_number)
select user_id, game_id, coalesce((select max(number) from chat_messages
    where chat_messages.game_id = sent.game_id and created_at <= pushed_at), 0),
  pushed_at, coalesce(sent.number, 0)
from sent join chats using (game_id)
where exists (select from profiles where profiles.user_id = sent.user_id and deleted_at is null)
on conflict (user_id, game_id) do update set pushed_number = excluded.pushed_number,
  pushed_at = excluded.pushed_at, organiser_pushed_number = excluded.organiser_pushed_number;
