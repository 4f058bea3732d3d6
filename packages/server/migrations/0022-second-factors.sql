-- locks: users, workspace
-- Second factors of accounts, and the workspace's rule about them.

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

-- Challenges whose signature was accepted. They are not accepted again.
create table used_challenges (
  challenge_hash text primary key,
  expires_at timestamptz not null
);
create index used_challenges_expires_at_idx on used_challenges (expires_at);

alter table workspace
  add column second_factor text not null default 'optional' check (second_factor in ('optional', 'required')),
  add column second_factor_grace_days integer not null default 7,
  -- The time from which on a second factor is required; the days of grace follow.
  add column second_factor_required_at timestamptz;

-- The time at which an admin removed the account's factors. Null once it has one again.
alter table users add column factors_reset_at timestamptz;
