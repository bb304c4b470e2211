-- What a booking was sold under is one value: steps of { until, feeCents }, `until` in hours before
-- kick-off. Null, the two numbers are its one step (docs/decisions/057).

-- A constant fills all rows without writing them; the few that are of other terms follow.
alter table bookings add column terms jsonb default '[{"until": 24, "feeCents": 99}]'
  constraint bookings_terms check (
    jsonb_typeof(terms) = 'array' and jsonb_array_length(terms) between 1 and 12
    and jsonb_array_length(terms) = jsonb_array_length(
      jsonb_path_query_array(terms, 'strict $[*] ? (@.until >= 0 && @.feeCents >= 0)')
    )
  );
alter table bookings alter column terms drop default;
update bookings set terms = jsonb_build_array(
  jsonb_build_object('until', refund_hours, 'feeCents', (refund_fee_eur * 100)::integer)
) where (refund_hours, refund_fee_eur) <> (24, 0.99);

-- The two numbers edited alone, by plain SQL or by the version before, keep taking effect.
create function drop_terms() returns trigger language plpgsql as $$
begin
  new.terms := null;
  return new;
end $$;
create trigger bookings_drop_terms before update of refund_hours, refund_fee_eur on bookings
  for each row when (
    (old.refund_hours, old.refund_fee_eur) <> (new.refund_hours, new.refund_fee_eur)
    and old.terms is not distinct from new.terms
  ) execute function drop_terms();
