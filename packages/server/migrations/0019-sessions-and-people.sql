-- locks: access_tokens, sessions, users
-- Sessions that can be listed and ended, users who can be disabled, and links that set a password once.

alter table sessions
  -- The last time that the person proved themselves: at the login, or at a later confirmation.
  add column authenticated_at timestamptz,
  add column method text not null default 'password',
  -- Written at most once a minute.
  add column last_seen_at timestamptz,
  add column address text,
  add column user_agent text,
  -- A confirmation replaces the cookie. The replaced session stays for a few seconds, for requests in progress.
  add column successor_id uuid references sessions (id) on delete cascade;
update sessions set authenticated_at = created_at, last_seen_at = created_at;
alter table sessions
  alter column authenticated_at set default now(), alter column authenticated_at set not null,
  alter column last_seen_at set default now(), alter column last_seen_at set not null;
create index sessions_successor_id_idx on sessions (successor_id) where successor_id is not null;

alter table users
  add column disabled_at timestamptz,
  -- Null while the person has no password: after an invitation, or with another way to sign in.
  alter column password_hash drop not null;

alter table access_tokens add column last_address text;

-- One link for each user and purpose: a new one replaces the last.
create table one_time_links (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('invitation', 'password_reset')),
  token_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index one_time_links_user_purpose_key on one_time_links (user_id, purpose);
create unique index one_time_links_token_hash_key on one_time_links (token_hash);
create index one_time_links_expires_at_idx on one_time_links (expires_at);
