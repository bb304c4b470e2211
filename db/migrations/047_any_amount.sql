-- The pack whose buyer chooses the amount is sold as long as it has a payment link. It is never
-- active, so that the version before, which knows fixed prices only, offers it to nobody.
alter table credit_packs add constraint credit_packs_any_amount
  check (pack_key <> 'any_amount' or not (is_active or awaits_link));
