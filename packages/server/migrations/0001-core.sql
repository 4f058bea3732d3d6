-- locks:
-- Workspace, people and access, project structure, flags and segments, and the spine of every change:
-- environment revisions, change log, audit log, outbox.

-- One row. `access_revision` grows with every change to who may do what; each instance polls it (contract, section 4).
create table workspace (
  id boolean primary key default true check (id),
  workspace_name text not null default 'Burgee',
  setup_token_hash text,
  -- With SESSION_SECRET it gives a generated set-up token again, so that a restart can print it; alone it gives nothing.
  setup_token_seed text,
  setup_completed_at timestamptz,
  access_revision bigint not null default 0
);
insert into workspace default values;

create table users (
  id integer generated always as identity primary key,
  name text not null,
  email text not null,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  password_hash text not null,
  created_at timestamptz not null default now()
);
create unique index users_email_key on users (lower(email));

create table sessions (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

-- Failed logins by lower-cased e-mail address, whether such an account exists or not. One guess is checked at a time, on
-- whatever instance: `checking_id` names it, and `checking_until` ends the claim of an instance that died over it.
create table login_failures (
  email text primary key,
  failed_at timestamptz[] not null,
  locked_until timestamptz,
  checking_id uuid,
  checking_until timestamptz
);

create table projects (
  id uuid primary key,
  name text not null,
  slug text not null,
  created_at timestamptz not null default now()
);
create unique index projects_slug_key on projects (slug);

create table project_members (
  project_id uuid not null references projects (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_members_user_id_idx on project_members (user_id);

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
  created_at timestamptz not null default now()
);
create unique index environments_project_slug_key on environments (project_id, slug);
create unique index environments_one_default_key on environments (project_id) where is_default;

create table sdk_keys (
  id integer generated always as identity primary key,
  project_id uuid not null references projects (id) on delete cascade,
  environment_id uuid not null references environments (id) on delete cascade,
  name text not null,
  kind text not null default 'server' check (kind in ('server', 'client')),
  key_hash text not null,
  prefix text not null,
  created_at timestamptz not null default now()
);
create unique index sdk_keys_key_hash_key on sdk_keys (key_hash);
create index sdk_keys_project_id_idx on sdk_keys (project_id);
create index sdk_keys_environment_id_idx on sdk_keys (environment_id);

-- json and not jsonb: what people wrote comes back as they wrote it, in the order of its fields, on every instance.
create table flags (
  environment_id uuid not null references environments (id) on delete cascade,
  key text not null,
  is_enabled boolean not null,
  rollout_percentage smallint check (rollout_percentage between 0 and 100),
  description text,
  rules json not null,
  flag_type text not null check (flag_type in ('boolean', 'string', 'integer', 'json')),
  default_value json not null,
  disabled_value json not null,
  variants json not null,
  prerequisites json not null,
  tags json not null,
  owner_email text,
  archived_at timestamptz,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, key)
);

create table segments (
  id uuid primary key,
  environment_id uuid not null references environments (id) on delete cascade,
  key text not null,
  name text not null,
  description text,
  rules json not null,
  created_at timestamptz not null
);
create unique index segments_environment_key_key on segments (environment_id, key);

-- What SDKs see changing, one row a revision, without gaps. `kind` is 'none' where a write took a revision that
-- SDKs do not see (a change to an archived flag). Old rows are pruned; a reader that meets a hole loads anew.
create table environment_changes (
  environment_id uuid not null references environments (id) on delete cascade,
  revision bigint not null,
  kind text not null check (kind in ('upsert', 'delete', 'none')),
  flag_key text not null,
  flag json,
  created_at timestamptz not null default now(),
  primary key (environment_id, revision)
);
create index environment_changes_created_at_idx on environment_changes using brin (created_at);

-- No foreign keys: entries outlive environment, project and user.
create table audit_log (
  id bigint generated always as identity primary key,
  project_id uuid,
  environment_id uuid,
  flag_key text not null default '',
  actor_email text not null,
  action text not null,
  before_data json,
  after_data json,
  metadata json,
  created_at timestamptz not null
);
create index audit_log_environment_idx on audit_log (environment_id, id desc);
create index audit_log_flag_idx on audit_log (environment_id, flag_key, id desc) where flag_key <> '';
create index audit_log_project_idx on audit_log (project_id, id desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- The outbox: domain events written in the transaction of the change they tell of.
create table domain_events (
  id bigint generated always as identity primary key,
  project_id uuid not null,
  environment_id uuid not null,
  type text not null,
  data json not null,
  created_at timestamptz not null
);
create index domain_events_created_at_idx on domain_events using brin (created_at);
