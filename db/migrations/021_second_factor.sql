-- A second factor at sign-in: a code that an app makes of a shared secret and the time (RFC 6238).
-- The secret is encrypted with a key from SESSION_SECRET; last_step is the step of the newest code
-- that was used, so that none is used twice.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  secret text not null,
  last_step bigint not null,
  created_at timestamptz not null default now()
);

-- Each lets one in once without the app, and is deleted by that.
create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- When this session passed the second factor; admin pages ask for it.
alter table sessions add column second_factor_at timestamptz;
