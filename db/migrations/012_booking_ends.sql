-- Why a booking ended. Players who had left before do not read that the organiser cancelled it.

alter table bookings
  add column end_reason text check (end_reason in ('Left', 'Removed', 'GameCancelled'));

-- All that a cancellation ended share its moment; players who left before have an earlier one.
update bookings set end_reason = 'GameCancelled'
from (
  select game_id, max(cancelled_at) as at from bookings join games on games.id = game_id
  where games.status = 'Cancelled' group by game_id
) last
where bookings.game_id = last.game_id and cancelled_at = last.at
  and payment_status in ('Refunded', 'Cancelled')
  and exists (
    select from audit_log where action = 'game.cancel' and subject = last.game_id::text
      and details->'after'->>'bookingsCalledOff' <> '0'
  );

create trigger notification_settings_require_account before insert on notification_settings
  for each row execute function require_account();
