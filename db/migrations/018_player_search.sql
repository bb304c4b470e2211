-- What players are searched and sorted by stands in their rows: to work it out for each of
-- thousands that a search looks at would take longer than the search.
alter table profiles
  add column search_words tsvector not null
    generated always as (player_words(first_name, last_name, email)) stored,
  -- Last name, first name. No name has the character between them, and it sorts before all others.
  add column sort_name text collate "C" not null
    generated always as (folded(last_name) || E'\x01' || folded(first_name)) stored;

drop index profiles_words;
-- Without a list of what is new, which each search would read to its end.
create index profiles_words on profiles using gin (search_words) with (fastupdate = off)
  where deleted_at is null;
drop index profiles_by_name;
create index profiles_by_name on profiles (sort_name, user_id) where deleted_at is null;
