-- Player cards that their owners share. The address is the token; without its row it is gone.

create table shared_cards (
  user_id uuid primary key references profiles on delete cascade,
  token text not null unique check (token ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default now()
);
