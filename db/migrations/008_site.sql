-- Partners, legal pages, the audit log and the mail server's outages.

create table partners (
  id uuid primary key default gen_random_uuid(),
  name text not null default '',
  logo_url text,
  website_url text,
  is_active boolean not null default true,
  sort_order integer not null default 0,
  created_at timestamptz not null default now(),
  version integer not null default 1
);
create index partners_order on partners (sort_order, created_at);
create trigger partners_count_version before update on partners
  for each row when (old.* is distinct from new.*) execute function count_version();

create table legal_pages (
  page_type text primary key check (page_type in ('terms', 'privacy')),
  title text not null,
  content text not null,
  updated_at timestamptz not null default now(),
  saved_by uuid references users (id),
  version integer not null default 1
);
create trigger legal_pages_count_version before update on legal_pages
  for each row when (old.* is distinct from new.*) execute function count_version();

-- Replaced texts: terms that somebody agreed to can be read again.
create table legal_page_versions (
  page_type text not null references legal_pages (page_type),
  version integer not null,
  title text not null,
  content text not null,
  saved_by uuid references users (id),
  saved_at timestamptz not null,
  primary key (page_type, version)
);

create table audit_log (
  id bigint generated always as identity primary key,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_period on audit_log (created_at, id);
create index audit_log_actor on audit_log (actor, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_subject on audit_log (subject, id);
create index audit_log_actor_action on audit_log (actor, action, id);

create function forbid_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function forbid_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function forbid_audit_change();

-- At most one row for all processes: since when the mail server accepts nothing, and when it was
-- last tried.
create table mail_outage (
  id boolean primary key default true check (id),
  began_at timestamptz not null default now(),
  probed_at timestamptz not null default now(),
  probes integer not null default 0
);
