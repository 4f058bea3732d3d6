-- locks: users
-- What people and programs prove who they are with: sessions, links, second factors and access tokens.

-- No path of the code leads to a login of a service account. The database refuses what would be one.
create function refuse_login_of_service_account() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = new.user_id and kind = 'service_account') then
    raise exception 'a service account has no login';
  end if;
  return new;
end $$;

create table sessions (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The last time that the person proved themselves: at the login, or at a later confirmation.
  authenticated_at timestamptz not null default now(),
  method text not null default 'password',
  -- Written at most once a minute.
  last_seen_at timestamptz not null default now(),
  address text,
  user_agent text,
  -- A confirmation replaces the cookie. The replaced session stays for a few seconds, for requests in progress.
  successor_id uuid references sessions (id) on delete cascade
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);
create index sessions_successor_id_idx on sessions (successor_id) where successor_id is not null;
create trigger sessions_refuse_service_account before insert on sessions
  for each row execute function refuse_login_of_service_account();

-- Failed logins by lower-cased e-mail address, whether such an account exists or not. One guess is checked at a time, on
-- whatever instance: `checking_id` names it, and `checking_until` ends the claim of an instance that died over it.
-- Browsers that have signed in to an account before count their failed logins by themselves, so that nobody else can lock them out.
create table login_failures (
  email text primary key,
  failed_at timestamptz[] not null,
  locked_until timestamptz,
  checking_id uuid,
  checking_until timestamptz,
  -- Set where the failures are those of one known browser of this user; null where they are those of an e-mail address.
  user_id integer references users (id) on delete cascade
);
create index login_failures_user_id_idx on login_failures (user_id) where user_id is not null;

-- Links that set a password once. One that anyone requested for an address does not replace one that an admin has created.
create table one_time_links (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('invitation', 'password_reset')),
  token_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index one_time_links_token_hash_key on one_time_links (token_hash);
create index one_time_links_expires_at_idx on one_time_links (expires_at);
create index one_time_links_user_id_idx on one_time_links (user_id);
create trigger one_time_links_refuse_service_account before insert on one_time_links
  for each row execute function refuse_login_of_service_account();

-- A time-based one-time password (RFC 6238). The secret is encrypted with the data key.
create table totp_secrets (
  user_id integer primary key references users (id) on delete cascade,
  secret text not null,
  created_at timestamptz not null,
  -- Null until the first code. An unconfirmed secret signs nobody in.
  confirmed_at timestamptz,
  -- The 30-second step of the last accepted code: each step is accepted once.
  last_step bigint
);
create trigger totp_secrets_refuse_service_account before insert on totp_secrets
  for each row execute function refuse_login_of_service_account();

-- Deleted when used. A code has 120 random bits, so its SHA-256 is not searched.
create table recovery_codes (
  user_id integer not null references users (id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  -- In base64url, as browsers send it.
  credential_id text not null,
  public_key bytea not null,
  -- The number of signatures by the authenticator's own count. 0 where it keeps none.
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkeys_credential_id_key on passkeys (credential_id);
create index passkeys_user_id_idx on passkeys (user_id);
create trigger passkeys_refuse_service_account before insert on passkeys
  for each row execute function refuse_login_of_service_account();

-- Challenges whose signature was accepted. They are not accepted again.
create table used_challenges (
  challenge_hash text primary key,
  expires_at timestamptz not null
);
create index used_challenges_expires_at_idx on used_challenges (expires_at);

-- Accounts that may use their password although PASSWORD_LOGIN is off.
create table password_exceptions (
  user_id integer primary key references users (id) on delete cascade,
  allowed_until timestamptz not null
);

-- Personal access tokens, and those of service accounts.
create table access_tokens (
  id integer generated always as identity primary key,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  token_hash text not null,
  prefix text not null,
  scope text not null check (scope in ('read_only', 'read_write')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  last_address text
);
create unique index access_tokens_token_hash_key on access_tokens (token_hash);
create index access_tokens_user_id_idx on access_tokens (user_id);
