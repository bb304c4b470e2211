-- An update that changes nothing raises no revision and wakes nobody. Generated columns are not computed
-- yet in a trigger before the row is written; they follow from others, which are compared.
create or replace function count_revision() returns trigger language plpgsql as $$
declare
  given games := new;
begin
  given.starts_at := old.starts_at;
  given.ends_at := old.ends_at;
  if given is distinct from old then new.revision := old.revision + 1; end if;
  return new;
end $$;
