-- The pack that the player chose with the button that leads to the payment, so that "Continue to
-- payment" leads on to it (docs/decisions/077). Null for holds of the version before.
alter table payment_holds add column pack_id uuid references credit_packs (id);
