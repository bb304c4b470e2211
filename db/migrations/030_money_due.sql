-- What is still owed for a seat, and what is still to be given back, can be settled otherwise.

alter table bookings
  -- An organiser no longer collects what was not paid for it; the log says who decided that.
  add column not_collected_at timestamptz;

-- Without no-shows, who owe nothing.
create index bookings_owed on bookings (game_id)
  where payment_status = 'Unpaid' and not_collected_at is null
    and attendance is distinct from 'NoShow';
drop index bookings_unpaid;

alter table cash_payments
  -- An organiser keeps what somebody paid who is no longer in; it stays a payment of that booking.
  add column kept_at timestamptz,
  add constraint cash_payments_kept_or_undone check (num_nonnulls(kept_at, undone_at) < 2);

-- Who paid by hand was charged no credits, so the cash to give back is among these few.
create index bookings_ended_without_price on bookings (game_id)
  where payment_status in ('Refunded', 'Cancelled') and price_eur = 0;
