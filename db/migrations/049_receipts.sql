-- Every payment has the number of its receipt: 1, 2, 3 in each year of Helsinki's calendar. Payments are
-- inserted one at a time, under the lock of Stripe's events, which this takes as well: no number is
-- missing or used twice, also where the version before inserts them.
alter table payments
  add column receipt_year integer,
  add column receipt_number integer,
  add column refunded_at timestamptz;
update payments set receipt_year = numbered.year, receipt_number = numbered.number
from (
  select id, year, row_number() over (partition by year order by created_at, id) as number
  from (
    select id, created_at,
      extract(year from created_at at time zone 'Europe/Helsinki')::integer as year
    from payments
  ) dated
) numbered
where payments.id = numbered.id;
alter table payments
  alter column receipt_year set not null,
  alter column receipt_number set not null,
  add constraint payments_receipt unique (receipt_year, receipt_number);

create function number_receipt() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7102027);
  new.receipt_year := extract(year from new.created_at at time zone 'Europe/Helsinki');
  new.receipt_number := coalesce(
    (select max(receipt_number) from payments where receipt_year = new.receipt_year), 0
  ) + 1;
  return new;
end $$;
create trigger payments_number_receipt before insert on payments
  for each row execute function number_receipt();

-- When Stripe last reported it; unknown for those of before.
alter table disputes add column state_at timestamptz;
