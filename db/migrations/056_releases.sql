-- Releases that this database has run, by their date in CHANGELOG.md, with the steps before an upgrade
-- that were known then: a later version names the others (docs/decisions/075).
create table releases (
  release text primary key check (release ~ '^\d{4}-\d{2}-\d{2}$'),
  steps text[] not null,
  first_run_at timestamptz not null default now()
);
