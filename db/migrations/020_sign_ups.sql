-- Only the owner of an address gets the account: a sign-up is a row of its own, and user, account
-- and profile are made of it when its address is confirmed.

create table sign_ups (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  person_email text not null,
  password_hash text not null,
  -- Of the random key in the cookie of the browser that signed up; null where nobody knows it.
  browser_hash text,
  first_name text not null check (length(first_name) between 1 and 50),
  last_name text not null check (length(last_name) between 1 and 50),
  date_of_birth date not null,
  school_year text not null check (school_year in ('Bachelor', 'Master', 'Doctoral', 'Exchange')),
  major text not null check (length(major) between 1 and 100),
  phone text check (length(phone) <= 30),
  -- The page of ours that the sign-up began from.
  redirect_to text,
  created_at timestamptz not null default now(),
  constraint sign_ups_email_lower check (email = lower(email))
);
create index sign_ups_person on sign_ups (person_email, created_at);
create index sign_ups_created_at on sign_ups (created_at);

-- Where name+tag@ is name@ (EMAIL_TAGS), both have the person_email name@. The app writes it, and
-- aligns it at its start; a row written by SQL has its address as it is.
alter table users add column person_email text;
update users set person_email = email;
alter table users alter column person_email set not null;
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

-- Confirmation mails to a mailbox are counted, and wait for one another.
alter table verifications add column mailbox text, add column sends_at timestamptz;
create index verifications_mailbox on verifications (mailbox);

-- Whoever has not confirmed yet becomes a sign-up under the same id, so that links that are out go
-- on working. One that organisers gave a role, credits or a game stays an account without a
-- password: its owner chooses one by "Forgot password?", which proves the address.
do $$
declare person record;
begin
  for person in
    select users.id, users.email, users.created_at, password, first_name, last_name,
      date_of_birth, school_year, major, phone
    from users join profiles on profiles.user_id = users.id
    left join accounts on accounts.user_id = users.id and provider_id = 'credential'
    where not email_verified and deleted_at is null
  loop
    begin
      if exists (select from user_roles where user_id = person.id) then
        raise foreign_key_violation;
      end if;
      delete from profiles where user_id = person.id;
      delete from users where id = person.id;
      if person.created_at > now() - interval '30 days' and person.password is not null then
        insert into sign_ups (id, email, person_email, password_hash, first_name, last_name,
          date_of_birth, school_year, major, phone, created_at)
        values (person.id, person.email, person.email, person.password, person.first_name,
          person.last_name, person.date_of_birth, person.school_year, person.major, person.phone,
          person.created_at);
        update verifications set mailbox = person.email, sends_at = created_at
        where value = person.id::text and identifier like 'confirm:%';
        delete from verifications
        where value = person.id::text and identifier not like 'confirm:%';
      else
        delete from verifications where value = person.id::text;
      end if;
    exception when foreign_key_violation or restrict_violation then
      update users set email_verified = true where id = person.id;
      update accounts set password = null where user_id = person.id;
      delete from verifications where value = person.id::text;
    end;
  end loop;
end $$;
-- A process of the version before cannot write an account that nobody has confirmed.
alter table users alter column email_verified set default true;
alter table users add constraint users_confirmed
  check (email_verified or email like '%@deleted.invalid');

-- Mails that wait in the queue name the sign-up.
do $$
begin
  if to_regclass('pgboss.job') is not null then
    update pgboss.job set data = data - 'userId' || jsonb_build_object('signUpId', data->'userId')
    where name = 'mail.confirm-address' and data ? 'userId' and state < 'completed';
  end if;
end $$;
