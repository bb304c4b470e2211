-- Who saved a legal text, and the texts that it has replaced: terms that somebody agreed to can be
-- read again, whatever stands there now.

alter table legal_pages add column saved_by uuid references users (id);

create table legal_page_versions (
  page_type text not null references legal_pages (page_type),
  version integer not null,
  title text not null,
  content text not null,
  saved_by uuid references users (id),
  saved_at timestamptz not null,
  primary key (page_type, version)
);
