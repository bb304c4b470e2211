-- Partners, legal texts and the record of admin deeds.

create table partners (
  id uuid primary key default gen_random_uuid(),
  name text not null default '',
  logo_url text,
  website_url text,
  is_active boolean not null default true,
  sort_order integer not null default 0,
  created_at timestamptz not null default now()
);
create index partners_order on partners (sort_order, created_at);

create table legal_pages (
  page_type text primary key check (page_type in ('terms', 'privacy')),
  title text not null,
  content text not null,
  updated_at timestamptz not null default now()
);

create table audit_log (
  id bigint generated always as identity primary key,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_created_at on audit_log (created_at desc);
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
