-- Players as organisers find them, and accounts that are suspended.

alter table users add column suspended_at timestamptz;
-- Why, for the organisers alone. It goes with the account, as the log of deeds could not.
alter table users add column suspended_reason text check (length(suspended_reason) <= 500);
alter table users add constraint users_suspended
  check ((suspended_at is null) = (suspended_reason is null));

-- A name without its marks and capitals, as people type it: "Åsa Öberg" and "asa oberg" are one.
-- Letters that are no letter with a mark have no such form, and are listed. No extension is needed.
create function folded(words text) returns text language sql immutable parallel safe
  return lower(translate(normalize(words, NFKD),
    U&'\00D8\00F8\0141\0142\0110\0111\0131\0300\0301\0302\0303\0304\0306\0307\0308\0309\030A\030B\030C\0323\0326\0327\0328\0331',
    'OoLlDdi'));

-- Its words, for a search by how any of them begins.
create function name_words(words text) returns text[] language sql immutable parallel safe
  return array_remove(
    regexp_split_to_array(folded(words), '[\u0001-\u0020!-/:-@\[-`{-~\u00A0\u2019]+'), '');

-- A player's names, and what stands before the @ of the address.
create function player_words(first_name text, last_name text, email text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(
    name_words(first_name || ' ' || last_name || ' ' || split_part(email, '@', 1)));

-- What is searched for: every word of it begins one of the player's. An address's domain, which
-- all of a campus share, says nothing. Null where there is no word.
create function player_query(words text) returns tsquery language sql immutable parallel safe
  return (select string_agg('''' || word || ''':*', ' & ')::tsquery
    from unnest(name_words(regexp_replace(words, '@\S*', ' ', 'g'))) word);

create index profiles_words on profiles using gin (player_words(first_name, last_name, email))
  where deleted_at is null;
create index profiles_by_name on profiles
  (folded(last_name) collate "C", folded(first_name) collate "C", user_id)
  where deleted_at is null;
