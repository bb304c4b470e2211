-- What the overview counts by the week, kept for weeks that are over, so that it need not count the
-- same hundred thousand bookings each time it is opened.

-- Written by keepWeeks alone, and used only while the week has no change. Any row may be deleted:
-- its week is counted until it is kept again.
create table weekly_metrics (
  metric text not null check (metric <> ''),
  -- A Monday in Helsinki.
  week date not null check (extract(isodow from week) = 1),
  source text not null check (source in ('games', 'profiles', 'payments', 'wallet_transactions')),
  -- Hash of the statement that counted it: with other rules it is counted again.
  rules text not null check (rules <> ''),
  found jsonb not null check (jsonb_typeof(found) = 'object'),
  primary key (metric, week)
);

-- A row for each change, written with it. Nobody waits for anybody: rows are only added, and keepWeeks
-- deletes those that its own snapshot has counted. One that commits later is still here then.
create table week_changes (
  source text not null check (source in ('games', 'profiles', 'payments', 'wallet_transactions')),
  week date not null check (extract(isodow from week) = 1),
  id bigint generated always as identity,
  primary key (source, week, id)
);

-- Places that have ended too, which are counted by their game.
create index waitlist_entries_game on waitlist_entries (game_id, user_id);

create function week_of(at timestamptz) returns date language sql stable as $$
  select date_trunc('week', at at time zone 'Europe/Helsinki')::date
$$;

-- A game moved to another week changes both.
create function note_game_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into week_changes (source, week) values ('games', week_of(old.starts_at));
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and week_of(new.starts_at) <> week_of(old.starts_at) then
    insert into week_changes (source, week) values ('games', week_of(new.starts_at));
  end if;
  return null;
end $$;
create trigger games_note_change after insert or delete on games
  for each row execute function note_game_change();
-- Seats too, which every booking and cancellation changes.
create trigger games_note_update after update on games
  for each row when (
    (old.status, old.starts_at, old.max_players, old.seats_taken)
    is distinct from (new.status, new.starts_at, new.max_players, new.seats_taken)
  ) execute function note_game_change();

-- Of a row that names its game.
create function note_change_in_game() returns trigger language plpgsql as $$
begin
  insert into week_changes (source, week)
  select 'games', week_of(starts_at) from games
  where id in (case when tg_op <> 'INSERT' then old.game_id end,
    case when tg_op <> 'DELETE' then new.game_id end);
  return null;
end $$;
create trigger bookings_note_insert after insert on bookings
  for each row when (new.attendance is not null) execute function note_change_in_game();
create trigger bookings_note_delete after delete on bookings
  for each row when (old.attendance is not null) execute function note_change_in_game();
-- What changes no seat: marks, excuses, and marked players who are taken off the list.
create trigger bookings_note_update after update on bookings
  for each row when (
    old.user_id <> new.user_id
    or num_nonnulls(old.attendance, new.attendance) > 0
      and (old.attendance, old.payment_status, old.end_reason, old.no_show_excused_at)
        is distinct from (new.attendance, new.payment_status, new.end_reason, new.no_show_excused_at)
  ) execute function note_change_in_game();
create trigger waitlist_entries_note_change after insert or delete on waitlist_entries
  for each row execute function note_change_in_game();
create trigger waitlist_entries_note_update after update on waitlist_entries
  for each row when ((old.game_id, old.user_id) <> (new.game_id, new.user_id))
  execute function note_change_in_game();

-- Of a row that is counted by when it was written.
create function note_dated_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into week_changes (source, week) values (tg_table_name, week_of(old.created_at));
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and week_of(new.created_at) <> week_of(old.created_at) then
    insert into week_changes (source, week) values (tg_table_name, week_of(new.created_at));
  end if;
  return null;
end $$;
create trigger profiles_note_change after insert or delete on profiles
  for each row execute function note_dated_change();
create trigger profiles_note_update after update on profiles
  for each row when (
    (old.created_at, old.deleted_at is null) is distinct from (new.created_at, new.deleted_at is null)
  ) execute function note_dated_change();
create trigger payments_note_change after insert or delete on payments
  for each row execute function note_dated_change();
create trigger payments_note_update after update on payments
  for each row when (
    (old.created_at, old.amount_eur, old.refunded_eur)
    is distinct from (new.created_at, new.amount_eur, new.refunded_eur)
  ) execute function note_dated_change();
-- The ledger is append-only.
create trigger wallet_transactions_note_insert after insert on wallet_transactions
  for each row execute function note_dated_change();

create function note_dispute_change() returns trigger language plpgsql as $$
begin
  insert into week_changes (source, week)
  select 'payments', week_of(created_at) from payments
  where id in (case when tg_op <> 'INSERT' then old.payment_id end,
    case when tg_op <> 'DELETE' then new.payment_id end);
  return null;
end $$;
create trigger disputes_note_change after insert or update or delete on disputes
  for each row execute function note_dispute_change();
