-- The organisers' overview counts by weeks: each figure reads no more than its weeks.

create index profiles_of_period on profiles (created_at) where deleted_at is null;
create index payments_of_period on payments (created_at);
-- With the amount, so that the ledger itself need not be read: it holds a row for every seat.
create index wallet_transactions_of_period on wallet_transactions (created_at)
  include (amount_eur) where status = 'completed';
create index reviews_of_period on reviews (created_at) include (rating);
create index bookings_marked on bookings (game_id, attendance)
  where attendance is not null and payment_status in ('Paid', 'Unpaid');
