-- Players: profiles, how organisers search them, shared cards, and what remains of deleted accounts.

-- A name without accents and capitals, as people type it: "Åsa Öberg" and "asa oberg" are equal.
-- Letters such as Ø that no normalization splits are listed. Needs no extension.
create function folded(words text) returns text language sql immutable parallel safe
  return lower(translate(normalize(words, NFKD),
    U&'\00D8\00F8\0141\0142\0110\0111\0131\0300\0301\0302\0303\0304\0306\0307\0308\0309\030A\030B\030C\0323\0326\0327\0328\0331',
    'OoLlDdi'));

-- The words of a name, each of which a search may begin with.
create function name_words(words text) returns text[] language sql immutable parallel safe
  return array_remove(
    regexp_split_to_array(folded(words), '[\u0001-\u0020!-/:-@\[-`{-~\u00A0\u2019]+'), '');

-- A player's names and the part of the address before the @.
create function player_words(first_name text, last_name text, email text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(
    name_words(first_name || ' ' || last_name || ' ' || split_part(email, '@', 1)));

-- A search matches when each of its words begins one of the player's. The domain of an address is
-- ignored, because a whole campus shares it. Null when there is no word.
create function player_query(words text) returns tsquery language sql immutable parallel safe
  return (select string_agg('''' || word || ''':*', ' & ')::tsquery
    from unnest(name_words(regexp_replace(words, '@\S*', ' ', 'g'))) word);

create table profiles (
  user_id uuid primary key references users on delete restrict,
  first_name text not null check (length(first_name) between 1 and 50),
  last_name text not null check (length(last_name) between 1 and 50),
  date_of_birth date not null,
  email text not null,
  school_year text not null check (school_year in ('Bachelor', 'Master', 'Doctoral', 'Exchange')),
  major text not null check (length(major) between 1 and 100),
  phone text check (length(phone) <= 30),
  sports_interests text[] not null default '{}',
  join_message_posted boolean not null default false,
  is_down_to_play boolean not null default false,
  position text check (position in ('GK', 'DEF', 'MID', 'FWD')),
  nationality text,
  nationality_code text check (nationality_code ~ '^[A-Z]{2}$'),
  profile_picture_url text,
  -- Credits (1 credit = 1 euro), written by features/wallet alone. Equals the sum of the user's
  -- completed wallet_transactions, which `npm run check:ledger` proves.
  wallet_balance_eur numeric(12, 2) not null default 0
    constraint profiles_balance_not_negative check (wallet_balance_eur >= 0),
  -- Credits spent before their payment was taken back. While it is above 0, no game can be joined.
  wallet_debt_eur numeric(12, 2) not null default 0 check (wallet_debt_eur >= 0),
  -- Whether an earlier, deleted account of this address has used the free first session.
  had_free_session boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- Stored, because computing them for the thousands of rows that a search reads is too slow.
  search_words tsvector not null
    generated always as (player_words(first_name, last_name, email)) stored,
  -- Last name, first name. \x01 is in no name and sorts before every other character.
  sort_name text collate "C" not null
    generated always as (folded(last_name) || E'\x01' || folded(first_name)) stored,
  constraint profiles_sports_interests check (
    cardinality(sports_interests) <= 8 and array_position(sports_interests, null) is null
  )
);
-- Without fastupdate: every search would read its pending list to the end.
create index profiles_search on profiles using gin (search_words) with (fastupdate = off)
  where deleted_at is null;
create index profiles_by_name on profiles (sort_name, user_id) where deleted_at is null;
create index profiles_of_period on profiles (created_at) where deleted_at is null;

-- A request that was running while the account was deleted must not bring personal data back.
create function forbid_change_of_deleted_account() returns trigger language plpgsql as $$
begin
  raise exception 'this account is deleted';
end $$;
create trigger profiles_stay_deleted before update of
    first_name, last_name, date_of_birth, email, school_year, major, phone, sports_interests,
    join_message_posted, is_down_to_play, position, nationality, nationality_code,
    profile_picture_url, deleted_at
  on profiles for each row when (old.deleted_at is not null)
  execute function forbid_change_of_deleted_account();

-- Waits for the player's row, so that a deletion in progress is seen.
create function require_account() returns trigger language plpgsql as $$
begin
  perform from profiles where user_id = new.user_id and deleted_at is null for key share;
  if not found then raise exception 'this account is deleted'; end if;
  return new;
end $$;

-- Cards that their owners share. The token is the address; deleting the row ends the sharing.
create table shared_cards (
  user_id uuid primary key references profiles on delete cascade,
  token text not null unique check (token ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default now()
);
create trigger shared_cards_require_account before insert on shared_cards
  for each row execute function require_account();

-- Deleted accounts that have used the free first session, by a keyed hash of their address.
create table former_free_sessions (
  address_hash text primary key check (address_hash ~ '^[0-9a-f]{64}$'),
  kept_until timestamptz not null
);
create index former_free_sessions_kept_until on former_free_sessions (kept_until);

-- Deleted accounts that have paid, by a keyed hash of their address. What they owe, also when a bank
-- takes a payment back later, is owed by the next account of that address.
create table former_payers (
  former_id uuid primary key references profiles on delete restrict,
  -- Null once its retention period is over.
  address_hash text check (address_hash ~ '^[0-9a-f]{64}$'),
  -- The account that owes it now; null until the address has signed up again.
  user_id uuid references profiles on delete restrict,
  constraint former_payers_another check (user_id <> former_id)
);
create index former_payers_address on former_payers (address_hash);
create index former_payers_user on former_payers (user_id);
