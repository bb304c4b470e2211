-- When the last offer of a place began: one that a decision ended within minutes counts as none.
alter table waitlist_entries add column offered_at timestamptz;
