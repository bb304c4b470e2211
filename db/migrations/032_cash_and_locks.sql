-- What a player is told about cash, and how much of it is due, when a booking has ended.

alter table bookings
  -- False: cancelled so late that what was paid by hand is between player and organiser. Decided as
  -- the booking ends, by the kick-off and the terms of that moment.
  add column cash_promised boolean not null default true;

alter table cash_payments
  -- By the triggers below, of a payment that is not undone, whoever ends the booking.
  add column booking_ended boolean not null default false;

-- By a player, later than the deadline of the terms. Nobody pays for a game that does not happen.
update bookings set cash_promised = false
from games where games.id = game_id and end_reason = 'Left' and games.status <> 'Cancelled'
  and cancelled_at > starts_at - refund_hours * interval '1 hour'
  and (free_cancel_until is null or cancelled_at > free_cancel_until)
  and exists (select from cash_payments where booking_id = bookings.id);
update cash_payments set booking_ended = true
from bookings where bookings.id = booking_id and undone_at is null
  and payment_status in ('Refunded', 'Cancelled');

create function follow_booking_end() returns trigger language plpgsql as $$
begin
  update cash_payments set booking_ended = new.payment_status in ('Refunded', 'Cancelled')
  where booking_id = new.id and undone_at is null;
  return null;
end $$;
create trigger bookings_end_cash after update on bookings
  for each row when (
    (old.payment_status in ('Refunded', 'Cancelled'))
    <> (new.payment_status in ('Refunded', 'Cancelled'))
  ) execute function follow_booking_end();

create function find_booking_end() returns trigger language plpgsql as $$
begin
  new.booking_ended := exists (
    select from bookings where id = new.booking_id and payment_status in ('Refunded', 'Cancelled')
  );
  return new;
end $$;
create trigger cash_payments_find_end before insert on cash_payments
  for each row execute function find_booking_end();

-- Exactly the cash to give back, and nothing of the years before.
create index cash_payments_due on cash_payments (booking_id)
  where booking_ended and undone_at is null and kept_at is null and amount_eur > 0;
drop index bookings_ended_without_price;

-- The profile, which its trigger locks as well: a join, which welcomes a player, and a promotion lock
-- wallets before the chat, but would wait for an account while its deletion waits for their game.
alter table chat_messages
  drop constraint chat_messages_user_id_fkey,
  add constraint chat_messages_user_id_fkey foreign key (user_id) references profiles
    on delete restrict;
