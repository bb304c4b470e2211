-- A form has a random key from when its page was made. One that arrives twice is told from another
-- one, and is answered as it was the first time. A booking made by a form has its key as id.
alter table bookings add column cancel_form_key uuid;
alter table monthly_game_progress add column claim_form_key uuid;
