-- A hidden venue stands in no list and takes no new games; those that it has stay as they are.
alter table venues add column is_hidden boolean not null default false;

-- The list of venues by name, read page by page.
create index venues_by_name on venues (name, id);
drop index venues_name;
