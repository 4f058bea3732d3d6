-- locks: users
-- Accounts and groups that an identity provider manages (SCIM 2.0, RFC 7643 and 7644).

-- One row from the first token or setting on. Without a token the interface is off.
create table scim_settings (
  is_only_row boolean primary key default true check (is_only_row),
  token_hash text,
  token_prefix text,
  token_created_at timestamptz,
  token_created_by text,
  -- Whether SCIM takes over accounts that have a password.
  adopts_accounts boolean not null default false,
  last_request_at timestamptz
);

-- Accounts that SCIM manages. The row stays after a deletion by SCIM, which disables the account.
create table scim_users (
  user_id integer primary key references users (id) on delete cascade,
  user_name text not null,
  external_id text,
  -- The names and addresses as the provider sent them. The account has what Burgee shows.
  profile json not null,
  -- The time at which SCIM disabled the account. SCIM enables no account that a person has disabled.
  disabled_at timestamptz,
  -- The groups were changed up to `groups_version`, and their roles were given up to `applied_version`.
  groups_version integer not null default 0,
  applied_version integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index scim_users_user_name_key on scim_users (lower(user_name)) where deleted_at is null;
create unique index scim_users_external_id_key on scim_users (external_id) where deleted_at is null;
create index scim_users_waiting_idx on scim_users (user_id) where groups_version <> applied_version;
create trigger scim_users_refuse_service_account before insert on scim_users
  for each row execute function refuse_login_of_service_account();

create table scim_groups (
  id uuid primary key,
  display_name text not null,
  external_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index scim_groups_display_name_key on scim_groups (lower(display_name));
create unique index scim_groups_external_id_key on scim_groups (external_id);

create table scim_members (
  group_id uuid not null references scim_groups (id) on delete cascade,
  user_id integer not null references scim_users (user_id) on delete cascade,
  primary key (group_id, user_id)
);
create index scim_members_user_id_idx on scim_members (user_id);
