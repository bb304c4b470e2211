-- Why an organiser corrected a balance is a free text about a player. It stands in the ledger
-- alone, and goes with the account: the words of a deleted one's entries may be taken, nothing else.
create function allow_forgetting_words() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) <> to_jsonb(old) || '{"notes": null}'
    or not exists (select from profiles where user_id = old.user_id and deleted_at is not null)
  then
    raise exception 'wallet_transactions is append-only: correct a balance by a new entry';
  end if;
  return new;
end $$;
drop trigger wallet_transactions_append_only on wallet_transactions;
create trigger wallet_transactions_append_only before update on wallet_transactions
  for each row execute function allow_forgetting_words();
create trigger wallet_transactions_no_delete before delete on wallet_transactions
  for each row execute function refuse_ledger_change();

update wallet_transactions set notes = null
from profiles
where profiles.user_id = wallet_transactions.user_id and deleted_at is not null
  and starts_with(business_key, 'grant:');

-- The log keeps for ever, and held the same words.
alter table audit_log disable trigger audit_log_append_only;
update audit_log set details = details - 'reason' where action = 'wallet.grant';
alter table audit_log enable trigger audit_log_append_only;

-- What organisers wrote to the players of a game is kept for a year.
create index game_messages_sent_at on game_messages (sent_at);
