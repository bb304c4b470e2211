-- At most one row, for all processes: since when the mail server takes nothing, and when it was
-- last tried.
create table mail_outage (
  id boolean primary key default true check (id),
  began_at timestamptz not null default now(),
  probed_at timestamptz not null default now(),
  probes integer not null default 0
);
