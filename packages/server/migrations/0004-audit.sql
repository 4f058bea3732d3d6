-- locks: environments
-- The audit log: entries by month, large texts in chunks, and chains of hashes (docs/trust.md).

-- Months by the database's clock: those of the instances may differ from each other.
create function current_audit_month() returns date language sql stable as $$
  select date_trunc('month', now() at time zone 'UTC')::date
$$;

-- Chunks of JSON texts, cut by content (see platform/concurrency/split-into-chunks.ts), each content once an environment and month. The texts of a
-- month need the chunks of that month only.
create table audit_chunks (
  month date not null default current_audit_month(),
  -- No foreign key: audit entries outlive their environment.
  environment_id uuid not null,
  hash bytea not null,
  content bytea not null,
  primary key (environment_id, hash, month)
) partition by range (month);

-- The text whose chunks have these SHA-256 hashes, concatenated.
create function chunked_text(in_month date, in_environment uuid, hashes bytea) returns text
language plpgsql stable strict parallel safe as $$
declare
  assembled bytea;
  found_chunks integer;
  wanted integer := octet_length(hashes) / 32;
begin
  -- A lookup for each hash, never a join: a join may read all chunks that the environment has.
  select string_agg(content, ''::bytea order by n), count(content) into assembled, found_chunks
  from (
    select n, (
      select chunk.content from audit_chunks chunk
      where chunk.month = in_month and chunk.environment_id = in_environment and chunk.hash = substr(hashes, n * 32 + 1, 32)
    ) as content
    from generate_series(0, wanted - 1) as n
    offset 0
  ) found;
  if found_chunks <> wanted then
    raise exception 'chunks of a stored text are missing' using errcode = 'data_corrupted';
  end if;
  return convert_from(assembled, 'UTF8');
end
$$;

-- Names are looked up where this migration ran, never in a schema or temporary table of the caller.
do $$ declare signature text; begin
  foreach signature in array array['chunked_text(date, uuid, bytea)', 'current_audit_month()'] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
  end loop;
end $$;

-- Whole months can be dropped. No foreign keys: entries outlive environment, project and user.
create sequence audit_log_id_seq as bigint;
create table audit_log (
  id bigint not null default nextval('audit_log_id_seq'),
  project_id uuid,
  environment_id uuid,
  flag_key text not null default '',
  actor_email text not null,
  action text not null,
  before_data json,
  after_data json,
  metadata json,
  created_at timestamptz not null,
  month date not null default current_audit_month(),
  -- Large texts are in chunks. Entries of before have whole texts, and no sizes.
  before_chunks bytea,
  before_size integer,
  after_chunks bytea,
  after_size integer,
  -- The flag's revision before and after, where the entry's data is a flag in chunks.
  before_revision bigint,
  after_revision bigint,
  -- What the entry added to the storage of its environment, its new chunks included.
  stored_bytes integer,
  chain text,
  seq bigint,
  hash bytea,
  primary key (id, month)
) partition by range (month);
alter sequence audit_log_id_seq owned by audit_log.id;
create index audit_log_environment_idx on audit_log (environment_id, id desc);
create index audit_log_flag_idx on audit_log (environment_id, flag_key, id desc) where flag_key <> '';
create index audit_log_project_idx on audit_log (project_id, id desc);
create index audit_log_project_actor_idx on audit_log (project_id, lower(actor_email), id desc);
create index audit_log_project_action_idx on audit_log (project_id, action, id desc);
create index audit_log_project_flag_idx on audit_log (project_id, flag_key, id desc) where flag_key <> '';
create index audit_log_project_time_idx on audit_log (project_id, created_at);

-- The first partitions have everything until the end of this month. Where the log is older than its months, they have what is from
-- before; the names of the partition and of its indexes are from there.
do $$ declare next_month constant date := current_audit_month() + interval '1 month'; begin
  execute format('create table audit_log_until_upgrade partition of audit_log for values from (minvalue) to (%L)', next_month);
  execute format('create table audit_chunks_until_upgrade partition of audit_chunks for values from (minvalue) to (%L)', next_month);
end $$;
alter index audit_log_until_upgrade_environment_id_id_idx rename to audit_log_until_upgrade_environment_idx;
alter index audit_log_until_upgrade_environment_id_flag_key_id_idx rename to audit_log_until_upgrade_flag_idx;
alter index audit_log_until_upgrade_project_id_id_idx rename to audit_log_until_upgrade_project_idx;
alter index audit_log_until_upgrade_project_id_lower_id_idx rename to audit_log_until_upgrade_project_actor_idx;
alter index audit_log_until_upgrade_project_id_action_id_idx rename to audit_log_until_upgrade_project_action_idx;
alter index audit_log_until_upgrade_project_id_flag_key_id_idx rename to audit_log_until_upgrade_project_flag_idx;
alter index audit_log_until_upgrade_project_id_created_at_idx rename to audit_log_until_upgrade_project_time_idx;

-- For the filter `switched` of the audit log: entries that switched a flag, and entries whose flags are in chunks, which an
-- index cannot look into. Without it every entry of the project is parsed: 1.5 s for 200,000.
create index audit_log_switched_idx on audit_log (project_id, id desc)
  where flag_key <> '' and ((before_data ->> 'is_enabled') <> (after_data ->> 'is_enabled')
    or before_chunks is not null or after_chunks is not null);

-- For the filters of the workspace's audit log, which names no project. Few entries have a resource or switch a flag.
create index audit_log_actor_idx on audit_log (lower(actor_email), id desc);
create index audit_log_action_idx on audit_log (action, id desc);
create index audit_log_resource_idx on audit_log ((metadata ->> 'resource'), id desc) where metadata ->> 'resource' is not null;
create index audit_log_workspace_switched_idx on audit_log (id desc)
  where flag_key <> '' and ((before_data ->> 'is_enabled') <> (after_data ->> 'is_enabled')
    or before_chunks is not null or after_chunks is not null);
create index audit_log_any_flag_idx on audit_log (flag_key, id desc) where flag_key <> '';

-- For the filters `group` and `credential` of the workspace's audit log. Most entries of flags have no group of their own
-- kind, and are not in the first one. The kinds of resource of the groups are those of the contract.
create index audit_log_group_idx on audit_log ((case
  when starts_with(action, 'auth.') then 'authentication'
  when starts_with(action, 'change_request.') then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{change_request}'::text[]) then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{user,member,role,session,access_token,identity,group_mapping,service_account,scim,scim_token,scim_group}'::text[]) then 'people'
  when split_part(metadata ->> 'resource', ':', 1) = any('{sdk_key}'::text[]) then 'keys'
  when split_part(metadata ->> 'resource', ':', 1) = any('{project,environment,workspace,audit_log,invariant}'::text[]) then 'projects'
  when split_part(metadata ->> 'resource', ':', 1) = any('{segment,experiment,reports,seen_user}'::text[]) then 'segments'
  when split_part(metadata ->> 'resource', ':', 1) = any('{webhook,integration}'::text[]) then 'receivers'
end), id desc) where (case
  when starts_with(action, 'auth.') then 'authentication'
  when starts_with(action, 'change_request.') then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{change_request}'::text[]) then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{user,member,role,session,access_token,identity,group_mapping,service_account,scim,scim_token,scim_group}'::text[]) then 'people'
  when split_part(metadata ->> 'resource', ':', 1) = any('{sdk_key}'::text[]) then 'keys'
  when split_part(metadata ->> 'resource', ':', 1) = any('{project,environment,workspace,audit_log,invariant}'::text[]) then 'projects'
  when split_part(metadata ->> 'resource', ':', 1) = any('{segment,experiment,reports,seen_user}'::text[]) then 'segments'
  when split_part(metadata ->> 'resource', ':', 1) = any('{webhook,integration}'::text[]) then 'receivers'
end) is not null;
create index audit_log_credential_kind_idx on audit_log ((metadata -> 'credential' ->> 'kind'), id desc)
  where metadata -> 'credential' ->> 'kind' is not null;
create index audit_log_credential_idx on audit_log ((metadata -> 'credential' ->> 'id'), id desc)
  where metadata -> 'credential' ->> 'id' is not null;

create index audit_log_chain_idx on audit_log (chain, seq);
-- Entries without a place in a chain: those of before the chains, and those that were inserted past it. A verification
-- looks for the latter in every environment.
create index audit_log_unchained_idx on audit_log (environment_id, id) where chain is null;
-- For windows of time of the workspace and of an environment: incidents and the audit log. The index of projects serves
-- these only by a search for each project.
create index audit_log_time_idx on audit_log (created_at);

-- Further months are made and dropped by the server, in steps that each lock little (changes/make-audit-months.ts and
-- drop-audit-months.ts).
do $$ declare
  first_day constant date := current_audit_month() + interval '1 month';
  parent text;
begin
  foreach parent in array array['audit_log', 'audit_chunks'] loop
    execute format('create table %I partition of %I for values from (%L) to (%L)',
      parent || '_' || to_char(first_day, 'YYYYMM'), parent, first_day, (first_day + interval '1 month')::date);
  end loop;
end $$;
-- Where no month was made in time. Nothing is refused for that; the server moves it once it can make the month.
create table audit_log_other partition of audit_log default;
create table audit_chunks_other partition of audit_chunks default;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_chunks_append_only before update or delete on audit_chunks
  for each row execute function refuse_audit_change();
-- Partitions do not take this one over from their table.
do $$ declare relation text; begin
  for relation in select relid::text from pg_partition_tree('audit_log') union all select relid::text from pg_partition_tree('audit_chunks') loop
    execute format('create trigger audit_log_no_truncate before truncate on %s for each statement execute function refuse_audit_change()',
      relation);
  end loop;
end $$;

-- One chain of hashes for each environment and one for the workspace. An entry's hash covers the hash before it, so
-- that a changed, removed or inserted entry does not fit. No foreign keys: chains outlive what they are of.
create table audit_chains (
  chain text primary key,
  project_id uuid,
  environment_id uuid,
  seq bigint not null default 0,
  head bytea not null,
  -- The hash before the first entry: over the entries of before the chain, up to `genesis_id`; zeros where there are none.
  genesis bytea not null,
  genesis_id bigint not null default 0,
  -- The last entry that was dropped with its month, after which the chain starts.
  base_seq bigint not null default 0,
  base_hash bytea not null,
  -- True when entries of before the chain were dropped, so that `genesis` can no longer be computed.
  genesis_dropped boolean not null default false,
  moved_at timestamptz,
  closed_at timestamptz
);
create index audit_chains_project_idx on audit_chains (project_id);
create index audit_chains_moved_idx on audit_chains (moved_at);
insert into audit_chains (chain, head, genesis, base_hash)
select 'workspace', zeros, zeros, zeros from decode(repeat('00', 32), 'hex') as zeros;

-- A field as it is hashed: its length in 4 bytes, then its UTF-8; ffffffff for null.
create function audit_field(value text) returns bytea language sql immutable parallel safe as $$
  select case when value is null then '\xffffffff'::bytea
    else int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8') end
$$;

create function audit_hash(previous bytea, id bigint, chain text, seq bigint, project_id uuid, environment_id uuid, flag_key text,
  actor_email text, action text, before_data text, after_data text, metadata text, created_at timestamptz)
returns bytea language sql stable parallel safe as $$
  select sha256(previous || audit_field(id::text) || audit_field(chain) || audit_field(seq::text) || audit_field(project_id::text)
    || audit_field(environment_id::text) || audit_field(flag_key) || audit_field(actor_email) || audit_field(action)
    || audit_field(before_data) || audit_field(after_data) || audit_field(metadata)
    || audit_field(to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
$$;

-- A stored text to verify: null where its chunks are not what they were.
create function audit_text(whole json, in_month date, in_environment uuid, hashes bytea) returns text
language plpgsql stable parallel safe as $$
begin
  if hashes is null then return whole::text; end if;
  if whole is not null then return null; end if;
  return chunked_text(in_month, in_environment, hashes);
exception when others then
  return null;
end
$$;

create function start_audit_chain() returns trigger language plpgsql as $$
declare
  zeros constant bytea := decode(repeat('00', 32), 'hex');
begin
  insert into audit_chains (chain, project_id, environment_id, head, genesis, base_hash)
    values (new.id::text, new.project_id, new.id, zeros, zeros, zeros) on conflict do nothing;
  return null;
end
$$;
create trigger environments_start_audit_chain after insert on environments
  for each row execute function start_audit_chain();
