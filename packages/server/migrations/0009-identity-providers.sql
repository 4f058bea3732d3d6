-- locks: projects, sessions, users
-- Accounts at an identity provider (OpenID Connect), the rights that groups there give here, and what it manages itself (SCIM 2.0,
-- RFC 7643 and 7644).

-- The provider's name for a person, for as long as the account exists. `groups` are those of the last login.
create table identities (
  id integer generated always as identity primary key,
  user_id integer not null references users (id) on delete cascade,
  issuer text not null,
  subject text not null,
  email text not null,
  groups text[] not null default '{}',
  created_at timestamptz not null,
  last_login_at timestamptz not null
);
create unique index identities_subject_key on identities (issuer, subject);
create unique index identities_user_key on identities (user_id, issuer);
create index identities_groups_idx on identities using gin (groups);
create trigger identities_refuse_service_account before insert on identities
  for each row execute function refuse_login_of_service_account();

-- The session at the provider behind a session here, for a logout on either side. `id_token` is encrypted.
create table provider_sessions (
  session_id uuid primary key references sessions (id) on delete cascade,
  issuer text not null,
  subject text not null,
  sid text,
  id_token text
);
create index provider_sessions_subject_idx on provider_sessions (issuer, subject);

-- Logout tokens that were used, until they expire.
create table used_logout_tokens (
  token_hash text primary key,
  expires_at timestamptz not null
);
create index used_logout_tokens_expires_at_idx on used_logout_tokens (expires_at);

-- The role that a group gives: in a project, or in the workspace where `project_id` is null.
create table group_mappings (
  id integer generated always as identity primary key,
  group_name text not null,
  project_id uuid references projects (id) on delete cascade,
  role text not null,
  created_at timestamptz not null
);
create unique index group_mappings_group_key on group_mappings (group_name, project_id) nulls not distinct;
create index group_mappings_project_id_idx on group_mappings (project_id);

-- One queue of the people to whom groups are to give roles, also the groups of SCIM, and who changed the groups. Without a foreign
-- key, so that a change of the table of groups locks no user.
create table waiting_group_changes (
  user_id integer primary key,
  requested_by text not null,
  -- The number of the last change, so that a change that comes while an earlier one is applied is not lost.
  change_id bigint generated always as identity
);

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
  -- Grows with every change of the account's groups.
  groups_version integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index scim_users_user_name_key on scim_users (lower(user_name)) where deleted_at is null;
create unique index scim_users_external_id_key on scim_users (external_id) where deleted_at is null;
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
