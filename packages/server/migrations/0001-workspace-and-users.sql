-- locks:
-- The workspace and its people.

-- One row. `access_revision` grows with every change to who may do what; each instance polls it (contract, section 4).
create table workspace (
  id boolean primary key default true check (id),
  workspace_name text not null default 'Burgee',
  setup_token_hash text,
  -- With SESSION_SECRET it gives a generated set-up token again, so that a restart can print it; alone it gives nothing.
  setup_token_seed text,
  setup_completed_at timestamptz,
  access_revision bigint not null default 0,
  -- The key under which secrets are kept, itself sealed under SESSION_SECRET.
  data_key text,
  -- Whether the user hashes of reports are keyed with the secret of this installation. The server converts them at its start.
  user_hashes_keyed boolean not null default false,
  -- Whether SDK keys may create and revoke keys, and change webhooks, integrations and environments. The environment must say so too.
  keys_may_manage boolean not null default true,
  second_factor text not null default 'optional' check (second_factor in ('optional', 'required')),
  second_factor_grace_days integer not null default 7,
  -- The time from which on a second factor is required; the days of grace follow.
  second_factor_required_at timestamptz,
  -- Grows when people come into `waiting_group_changes`. The poll of the changefeed reads it, so that nothing asks for the queue
  -- while it is empty.
  groups_revision bigint not null default 0,
  -- Until here the history may be pruned; null before the first time.
  history_horizon timestamptz
);
insert into workspace default values;

create table users (
  id integer generated always as identity primary key,
  name text not null,
  email text not null,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  -- Null while the person has no password: after an invitation, or with another way to sign in.
  password_hash text,
  created_at timestamptz not null default now(),
  -- Grows with every new password: what browsers were given before stops being known.
  password_version integer not null default 1,
  disabled_at timestamptz,
  -- What groups gave, groups may take away. What a person gave stays. A role that an admin has set to viewer by hand is pinned:
  -- groups do not raise it.
  role_source text not null default 'manual' check (role_source in ('manual', 'groups', 'pinned')),
  -- The time at which an admin removed the account's factors. Null once it has one again.
  factors_reset_at timestamptz,
  -- Service accounts are accounts of programs: without a login, and with roles in projects only.
  kind text not null default 'person' check (kind in ('person', 'service_account')),
  -- The users who created a service account or any of its tokens. They may not approve what it requests.
  maker_ids integer[] not null default '{}',
  constraint users_service_account_check check (kind = 'person' or (role = 'viewer' and password_hash is null))
);
create unique index users_email_key on users (lower(email));
create index users_service_accounts_idx on users (id) where kind = 'service_account';

-- Those who made a service account that was deleted. Keys that it created stay, and their requests still have
-- the same people behind them.
create table former_service_accounts (
  id integer primary key,
  maker_ids integer[] not null
);
