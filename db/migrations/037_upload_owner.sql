-- The mark of this database in the folder or bucket of its uploads: where another's is, nothing is
-- swept.
create table upload_owner (
  id boolean primary key default true check (id),
  mark uuid not null default gen_random_uuid()
);
insert into upload_owner default values;
