-- locks: project_members, projects, sessions, users
-- Accounts at an identity provider (OpenID Connect), and the rights that groups there give here.

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

-- What groups gave, groups may take away. What a person gave stays.
alter table project_members
  add column source text not null default 'manual' check (source in ('manual', 'groups'));
alter table users
  add column role_source text not null default 'manual' check (role_source in ('manual', 'groups'));

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

-- Accounts that may use their password although PASSWORD_LOGIN is off.
create table password_exceptions (
  user_id integer primary key references users (id) on delete cascade,
  allowed_until timestamptz not null
);
