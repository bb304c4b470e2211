-- People: identity (written by the auth library through features/accounts), profiles and roles.

create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_lower check (email = lower(email))
);
create unique index users_email_key on users (email);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

-- One credential row per user: provider_id 'credential', the scrypt hash in password.
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

-- Tokens of confirmation and reset mails; consumed by deletion, so each works once.
create table verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);
create index verifications_value on verifications (value);
create index verifications_expires_at on verifications (expires_at);

create table user_roles (
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('admin')),
  created_at timestamptz not null default now(),
  primary key (user_id, role)
);

create table profiles (
  user_id uuid primary key references users on delete restrict,
  first_name text not null check (length(first_name) between 1 and 50),
  last_name text not null check (length(last_name) between 1 and 50),
  date_of_birth date not null,
  email text not null,
  school_year text not null check (school_year in ('Bachelor', 'Master', 'Doctoral', 'Exchange')),
  major text not null check (length(major) between 1 and 100),
  phone text check (length(phone) <= 30),
  sports_interests text[] not null default '{}',
  join_message_posted boolean not null default false,
  is_down_to_play boolean not null default false,
  position text check (position in ('GK', 'DEF', 'MID', 'FWD')),
  nationality text,
  nationality_code text check (nationality_code ~ '^[A-Z]{2}$'),
  profile_picture_url text,
  -- Credits (1 credit = 1 euro). Written by features/wallet alone; equals the sum of the user's
  -- completed wallet_transactions, which `npm run check:ledger` proves.
  wallet_balance_eur numeric(12, 2) not null default 0
    constraint profiles_balance_not_negative check (wallet_balance_eur >= 0),
  created_at timestamptz not null default now()
);

-- Failed sign-ins per account: growing delays, never a lock-out. Each browser that has signed in
-- to the account before counts apart (its id, hashed); all others count together, as ''.
create table sign_in_failures (
  email text not null,
  device text not null,
  failures integer not null check (failures > 0),
  last_failed_at timestamptz not null,
  primary key (email, device)
);
create index sign_in_failures_last_failed_at on sign_in_failures (last_failed_at);

-- Counters of rate-limiter-flexible; the shape is the library's own.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
