-- locks: environments, projects
-- Flags and segments, and what belongs to one of them.

-- Revisions of segments, for If-Match: unique in the database, so that a segment that is created again has another one than before.
create sequence segment_revisions;

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
  -- What SDKs receive of it, in bytes of JSON with its segments expanded. Kept by the writes themselves.
  wire_bytes integer not null default 0,
  -- Who changed it last, by the log. An approval may only schedule a change, and a failure changes nothing.
  updated_by text,
  -- Fields that are absent unless they are set, as the text of one object.
  extensions json not null default '{}',
  bytes integer not null generated always as (
    400 + octet_length(key) + coalesce(octet_length(description), 0) + octet_length(rules::text) + octet_length(default_value::text)
    + octet_length(disabled_value::text) + octet_length(variants::text) + octet_length(prerequisites::text) + octet_length(tags::text)
    + octet_length(extensions::text) - 2
  ) stored,
  primary key (environment_id, key)
);
-- Lists are in code unit order, which a database's own collation seldom is: without this, a list of ten thousand flags is sorted on disk.
create index flags_key_order_idx on flags (environment_id, key collate "C");
create trigger flags_count_bytes after insert or delete on flags
  for each row execute function count_stored_bytes();
create trigger flags_count_changed_bytes after update on flags
  for each row when (old.bytes <> new.bytes) execute function count_stored_bytes();

create function forget_wire_bytes() returns trigger language plpgsql as $$
begin
  update environments set wire_bytes = greatest(0, wire_bytes - old.wire_bytes) where id = old.environment_id;
  return null;
end
$$;
create trigger flags_forget_wire_bytes after delete on flags
  for each row when (old.wire_bytes <> 0) execute function forget_wire_bytes();

create table segments (
  id uuid primary key,
  environment_id uuid not null references environments (id) on delete cascade,
  key text not null,
  name text not null,
  description text,
  rules json not null,
  created_at timestamptz not null,
  revision bigint not null default nextval('segment_revisions'),
  extensions json not null default '{}',
  bytes integer not null generated always as (
    300 + octet_length(name) + coalesce(octet_length(description), 0) + octet_length(rules::text) + octet_length(extensions::text) - 2
  ) stored
);
create unique index segments_environment_key_key on segments (environment_id, key);
create trigger segments_count_bytes after insert or delete on segments
  for each row execute function count_stored_bytes();
create trigger segments_count_changed_bytes after update on segments
  for each row when (old.bytes <> new.bytes) execute function count_stored_bytes();

-- Why a flag is meant to differ between two environments of a project.
create table drift_notes (
  project_id uuid not null references projects (id) on delete cascade,
  flag_key text collate "C" not null,
  source text not null,
  target text not null,
  reason text not null,
  owner_email text not null,
  expires_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  primary key (project_id, flag_key)
);

-- The impact of a change request or a scheduled change as it was when it was made. Its subject is
-- "change_request:<id>" or "scheduled_change:<id>". At most 1,000 of an environment are kept.
create table stored_impacts (
  environment_id uuid not null references environments (id) on delete cascade,
  subject text collate "C" not null,
  impact json not null,
  computed_at timestamptz not null,
  primary key (environment_id, subject)
);
create index stored_impacts_computed_idx on stored_impacts (environment_id, computed_at);
