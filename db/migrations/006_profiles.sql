-- Profiles as their players edit them: the listed sports and one of their own words.

alter table profiles add constraint profiles_sports_interests check (
  cardinality(sports_interests) <= 8 and array_position(sports_interests, null) is null
);
