-- What is deleted stays deleted, and a free first session is given once to an address.

alter table profiles add column deleted_at timestamptz;
update profiles set deleted_at = now() where email like 'deleted-%@deleted.invalid';

-- Whoever was in the middle of writing when an account went would bring the person back.
create function refuse_to_return() returns trigger language plpgsql as $$
begin
  raise exception 'this account is deleted';
end $$;
create trigger profiles_stay_forgotten before update of
    first_name, last_name, date_of_birth, email, school_year, major, phone, sports_interests,
    join_message_posted, is_down_to_play, position, nationality, nationality_code,
    profile_picture_url, deleted_at
  on profiles for each row when (old.deleted_at is not null)
  execute function refuse_to_return();

-- The row of the player is waited for, and then read as it stands.
create function refuse_words_of_the_gone() returns trigger language plpgsql as $$
begin
  perform from profiles where user_id = new.user_id and deleted_at is null for key share;
  if not found then raise exception 'this account is deleted'; end if;
  return new;
end $$;
create trigger shared_cards_of_players before insert on shared_cards
  for each row execute function refuse_words_of_the_gone();
create trigger support_messages_of_players before insert on support_messages
  for each row execute function refuse_words_of_the_gone();
create trigger reviews_of_players before insert on reviews
  for each row execute function refuse_words_of_the_gone();

-- Deleted accounts that have had their free first session, by a keyed hash of their address.
create table former_free_sessions (
  address_hash text primary key check (address_hash ~ '^[0-9a-f]{64}$'),
  kept_until timestamptz not null
);
create index former_free_sessions_kept_until on former_free_sessions (kept_until);

-- Whether an earlier account of this address has had it.
alter table profiles add column had_free_session boolean not null default false;

-- A player's own copy of their data asks for all events and lots that are theirs.
create index stripe_events_user on stripe_events (user_id);
create index credit_lots_user on credit_lots (user_id);
