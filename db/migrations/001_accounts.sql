-- Who can sign in: users, their sessions and links, sign-ups, two-factor sign-in, and the counters
-- that slow down guessing.

create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  -- The address without its tag where EMAIL_TAGS says that name+tag@ is name@: one account a person.
  -- The app writes it and aligns it when it starts; a row written by SQL gets its address as it is.
  person_email text not null,
  email_verified boolean not null default true,
  image text,
  suspended_at timestamptz,
  -- For organisers only. Stored here and not in audit_log, so that it is deleted with the account.
  suspended_reason text check (length(suspended_reason) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_lower check (email = lower(email)),
  -- An address that nobody has confirmed is a row in sign_ups, never a user.
  constraint users_confirmed check (email_verified or email like '%@deleted.invalid'),
  constraint users_suspended check ((suspended_at is null) = (suspended_reason is null))
);
create unique index users_email_key on users (email);
create unique index users_person_email_key on users (person_email);

create function keep_person_email() returns trigger language plpgsql as $$
begin
  if new.person_email is null
    or (tg_op = 'UPDATE' and new.email <> old.email and new.person_email = old.person_email)
  then
    new.person_email := new.email;
  end if;
  return new;
end $$;
create trigger users_keep_person_email before insert or update of email on users
  for each row execute function keep_person_email();

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- When this session passed two-factor sign-in; admin pages require it.
  second_factor_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

-- One row per user: provider_id 'credential', and the scrypt hash in password.
create table accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index accounts_user_id on accounts (user_id);

-- Links in confirmation and reset mails. Using one deletes its row, so each works once.
create table verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  -- Confirmation mails to one mailbox are counted and spread over time; null for other links.
  mailbox text,
  sends_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);
create index verifications_value on verifications (value);
create index verifications_expires_at on verifications (expires_at);
create index verifications_mailbox on verifications (mailbox);

-- User, account and profile are made from this row when its own link is confirmed, so that only the
-- owner of an address gets the account.
create table sign_ups (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  person_email text not null,
  password_hash text not null,
  -- Hash of the random key in the cookie of the browser that signed up.
  browser_hash text,
  first_name text not null check (length(first_name) between 1 and 50),
  last_name text not null check (length(last_name) between 1 and 50),
  date_of_birth date not null,
  school_year text not null check (school_year in ('Bachelor', 'Master', 'Doctoral', 'Exchange')),
  major text not null check (length(major) between 1 and 100),
  phone text check (length(phone) <= 30),
  -- The page on this site to go to afterwards.
  redirect_to text,
  created_at timestamptz not null default now(),
  constraint sign_ups_email_lower check (email = lower(email))
);
create index sign_ups_person on sign_ups (person_email, created_at);
create index sign_ups_created_at on sign_ups (created_at);

create table user_roles (
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('admin')),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);

-- Time-based codes (RFC 6238). The secret is encrypted with a key from SESSION_SECRET; last_step is
-- the time step of the newest code used, so that no code works twice.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  secret text not null,
  last_step bigint not null,
  created_at timestamptz not null default now()
);

-- Each signs in once without the authenticator app, and is then deleted.
create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- Failed sign-ins cause growing delays, never a lock-out. A browser that has signed in to the
-- account before is counted separately (device is its hashed id); all others share ''.
create table sign_in_failures (
  email text not null,
  device text not null,
  failures integer not null check (failures > 0),
  last_failed_at timestamptz not null,
  primary key (email, device)
);
create index sign_in_failures_last_failed_at on sign_in_failures (last_failed_at);

-- Counters of rate-limiter-flexible, in the shape that the library expects.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
