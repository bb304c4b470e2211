-- The text of a legal page that holds from a day on (docs/decisions/073). From then on every page reads
-- it as the present one; a scheduled job puts it in the present one's place and keeps that.
create table coming_legal_pages (
  page_type text primary key check (page_type in ('terms', 'privacy')),
  title text not null,
  content text not null,
  holds_from date not null,
  saved_by uuid references users on delete set null,
  saved_at timestamptz not null,
  version integer not null default 1
);
create trigger coming_legal_pages_count_version before update on coming_legal_pages
  for each row when (old.* is distinct from new.*) execute function count_version();
