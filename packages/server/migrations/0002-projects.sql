-- locks: users
-- Projects, their environments, SDK keys and members.

create table projects (
  id uuid primary key,
  name text not null,
  slug text not null,
  created_at timestamptz not null default now()
);
create unique index projects_slug_key on projects (slug);

-- Roles of project members. The permissions of the built-in ones are in the contract, so they are null here.
create table roles (
  key text primary key,
  name text not null,
  description text not null default '',
  permissions text[],
  created_at timestamptz not null default now()
);
insert into roles (key, name) values ('viewer', 'Viewer'), ('editor', 'Editor'), ('admin', 'Admin');

create table project_members (
  project_id uuid not null references projects (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  role text not null references roles (key),
  created_at timestamptz not null default now(),
  -- What groups gave, groups may take away. What a person gave stays.
  source text not null default 'manual' check (source in ('manual', 'groups')),
  primary key (project_id, user_id)
);
create index project_members_user_id_idx on project_members (user_id);
create index project_members_role_idx on project_members (role);

create table environments (
  id uuid primary key,
  project_id uuid not null references projects (id) on delete cascade,
  name text not null,
  slug text not null,
  color text not null,
  is_default boolean not null default false,
  require_approval boolean not null default false,
  approval_scope text not null default 'patch' check (approval_scope in ('patch', 'all')),
  -- Position in the seeded or created order; lists are stable.
  position integer generated always as identity,
  revision bigint not null default 0,
  created_at timestamptz not null default now(),
  -- Whether its SDK keys may create and revoke keys, and change webhooks, integrations and the environment. The workspace must
  -- say so too.
  keys_may_manage boolean not null default true,
  -- What the writes of an environment store, in bytes: flags, segments, requests, schedules and audit, for its quota.
  stored_bytes bigint not null default 0,
  -- What SDKs receive of its flags, in bytes of JSON with their segments expanded. Kept by the writes themselves.
  wire_bytes bigint not null default 0,
  require_comment boolean not null default false,
  -- How many people approve a change, and who: users and roles; every reviewer where the list is empty.
  min_approvals integer not null default 1 check (min_approvals between 1 and 5),
  approvers json not null default '[]',
  -- The time from which the history of an environment is complete; null until its flags are stored after the upgrade.
  history_since timestamptz default now(),
  seen_users text not null default 'keys' check (seen_users in ('off', 'keys', 'attributes')),
  private_attributes json not null default '[]',
  -- In the row that every write locks: a write of a project without invariants asks nothing further.
  has_invariants boolean not null default false
);
create unique index environments_project_slug_key on environments (project_id, slug);
create unique index environments_one_default_key on environments (project_id) where is_default;

-- Roles that apply in one environment instead of the member's role in the project. They stay when groups of the
-- identity provider take a membership away, so that it does not come back with more rights.
create table environment_roles (
  project_id uuid not null references projects (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  environment_id uuid not null references environments (id) on delete cascade,
  role text not null references roles (key),
  primary key (environment_id, user_id)
);
create index environment_roles_member_idx on environment_roles (project_id, user_id);
create index environment_roles_role_idx on environment_roles (role);

create table sdk_keys (
  id integer generated always as identity primary key,
  project_id uuid not null references projects (id) on delete cascade,
  environment_id uuid not null references environments (id) on delete cascade,
  name text not null,
  -- Readers read and report only.
  kind text not null default 'server' check (kind in ('server', 'reader', 'client')),
  key_hash text not null,
  prefix text not null,
  created_at timestamptz not null default now(),
  -- The key that it was created with. No foreign key: that one may be revoked, and ids are not used twice.
  parent_id integer,
  -- The user that it was created by, also by way of other keys; null where that is not known. No foreign key for the same reason.
  created_by integer,
  -- It came with its project.
  is_seeded boolean not null default false,
  -- To the minute.
  last_used_at timestamptz
);
create unique index sdk_keys_key_hash_key on sdk_keys (key_hash);
create index sdk_keys_project_id_idx on sdk_keys (project_id);
create index sdk_keys_environment_id_idx on sdk_keys (environment_id);

-- What people set up for themselves in a project: favorite flags, saved filters, the order of environments.
create table user_preferences (
  project_id uuid not null references projects (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  preferences json not null,
  primary key (user_id, project_id)
);
create index user_preferences_project_idx on user_preferences (project_id);
