-- A player's reply by email finds its ticket by the address of the answer to which it is a reply.
alter table letter_answers
  add column reply_token text not null default replace(gen_random_uuid()::text, '-', ''),
  add constraint letter_answers_reply_token unique (reply_token);

create table ticket_replies (
  id uuid primary key default gen_random_uuid(),
  answer_id uuid not null references letter_answers on delete cascade,
  body text not null check (length(body) between 1 and 5000),
  -- A hash of the Message-ID: the same email is stored once.
  mail_key text not null,
  -- Where it is not the address of the account.
  sent_from text check (length(sent_from) <= 255),
  created_at timestamptz not null,
  constraint ticket_replies_once unique (answer_id, mail_key)
);

-- On sale as soon as it has a payment link: until then players are not offered it.
alter table credit_packs add column awaits_link boolean not null default false;

-- It does not matter who stores the link: this code, or an operator by SQL.
create function credit_packs_go_on_sale() returns trigger language plpgsql as $$
begin
  new.is_active := true;
  new.awaits_link := false;
  return new;
end $$;
create trigger credit_packs_go_on_sale before update of stripe_checkout_link on credit_packs
  for each row when (new.awaits_link and new.stripe_checkout_link is not null)
  execute function credit_packs_go_on_sale();

-- To how many players a message went, so far only in the audit log.
alter table game_messages add column sent_to integer not null default 0 check (sent_to >= 0);
update game_messages set sent_to = (details -> 'after' ->> 'players')::integer
from audit_log
where action = 'game.message' and audit_log.subject = game_id::text
  and details ->> 'messageId' = game_messages.id::text;
