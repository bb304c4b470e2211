-- What players pay by hand, beside the credits.

-- A payment has its form's random key as its id, so that a form sent twice is one payment.
create table cash_payments (
  id uuid primary key,
  booking_id uuid not null references bookings on delete restrict,
  -- 0 only for a booking that was marked paid before amounts were noted.
  amount_eur numeric(12, 2) not null check (amount_eur >= 0),
  method text not null check (method in ('Cash', 'MobilePay', 'Other')),
  noted_by uuid not null references users on delete restrict,
  noted_at timestamptz not null,
  -- Noted by mistake, or given back to a player who does not play.
  undone_kind text check (undone_kind in ('Mistake', 'GivenBack')),
  undone_by uuid references users on delete restrict,
  undone_at timestamptz,
  constraint cash_payments_undone
    check (num_nulls(undone_kind, undone_by, undone_at) in (0, 3))
);
create unique index cash_payments_one_live on cash_payments (booking_id) where undone_at is null;
create index cash_payments_booking on cash_payments (booking_id, noted_at);
create index cash_payments_noted_at on cash_payments (noted_at);

create function keep_cash_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.undone_at is not null
    or (new.id, new.booking_id, new.amount_eur, new.method, new.noted_by, new.noted_at)
      <> (old.id, old.booking_id, old.amount_eur, old.method, old.noted_by, old.noted_at) then
    raise exception 'cash_payments: a payment is only undone, once';
  end if;
  return new;
end $$;
create trigger cash_payments_kept before update or delete on cash_payments
  for each row execute function keep_cash_payment();

insert into cash_payments (id, booking_id, amount_eur, method, noted_by, noted_at)
select gen_random_uuid(), bookings.id, 0, 'Other', users.id, entry.created_at
from bookings
cross join lateral (
  select actor, created_at from audit_log
  where action = 'booking.mark-paid' and subject = bookings.id::text order by audit_log.id limit 1
) entry
join users on users.id::text = entry.actor
where payment_status = 'Paid';

create index bookings_unpaid on bookings (game_id) where payment_status = 'Unpaid';
