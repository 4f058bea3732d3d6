-- locks: audit_log, change_requests, domain_events, environment_changes, environments, flags, scheduled_changes, segments
-- What writes store, bounded: large JSON texts are stored in chunks, each content once an environment and month; the audit log is
-- partitioned by month so that whole months can be dropped; a counter of bytes for each environment; the sizes of rows that lists read.

-- Months by the database's clock: those of the instances may differ from each other.
create function current_audit_month() returns date language sql stable as $$
  select date_trunc('month', now() at time zone 'UTC')::date
$$;

-- Chunks of JSON texts, cut by content (see platform/split-into-chunks.ts). The texts of a month need the chunks of that month only.
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

-- A row that lists return: how many bytes its JSON has, about, so that a page is bounded before it is read.
alter table flags add column bytes integer not null generated always as (
  400 + octet_length(key) + coalesce(octet_length(description), 0) + octet_length(rules::text) + octet_length(default_value::text)
  + octet_length(disabled_value::text) + octet_length(variants::text) + octet_length(prerequisites::text) + octet_length(tags::text)
) stored;
alter table segments add column bytes integer not null generated always as (
  300 + octet_length(name) + coalesce(octet_length(description), 0) + octet_length(rules::text)
) stored;
alter table change_requests add column bytes integer not null generated always as (
  500 + octet_length(patch::text) + octet_length(body::text) + octet_length(base_flag::text) + coalesce(octet_length(reason), 0)
) stored;
alter table scheduled_changes add column bytes integer not null generated always as (
  400 + octet_length(patch::text) + coalesce(octet_length(error), 0)
) stored;

-- The change log and the outbox refer to chunks too.
alter table environment_changes add column flag_chunks bytea, add column flag_size integer, add column chunk_month date;
alter table domain_events
  alter column data drop not null,
  add column data_chunks bytea,
  add column data_size integer,
  add column chunk_month date,
  add check (num_nonnulls(data, data_chunks) = 1);

-- The audit log that there is becomes the first partition. Its rows keep their form: whole texts, and no sizes.
drop trigger audit_log_append_only on audit_log;
drop trigger audit_log_no_truncate on audit_log;
alter table audit_log alter column id drop identity;
alter table audit_log drop constraint audit_log_pkey;
do $$ begin
  execute format('alter table audit_log add column month date not null default %L', current_audit_month());
end $$;
alter table audit_log
  alter column month set default current_audit_month(),
  add column before_chunks bytea,
  add column before_size integer,
  add column after_chunks bytea,
  add column after_size integer,
  -- The flag's revision before and after, where the entry's data is a flag in chunks.
  add column before_revision bigint,
  add column after_revision bigint,
  -- What the entry added to the storage of its environment, its new chunks included.
  add column stored_bytes integer;
alter table audit_log rename to audit_log_until_upgrade;
do $$ declare old record; begin
  for old in select indexrelid::regclass::text as name from pg_index where indrelid = 'audit_log_until_upgrade'::regclass loop
    execute format('alter index %s rename to %I', old.name, replace(old.name, 'audit_log_', 'audit_log_until_upgrade_'));
  end loop;
end $$;

create table audit_log (like audit_log_until_upgrade including defaults) partition by range (month);
create sequence audit_log_id_seq as bigint owned by audit_log.id;
select setval('audit_log_id_seq', coalesce(max(id), 0) + 1, false) from audit_log_until_upgrade;
alter table audit_log alter column id set default nextval('audit_log_id_seq');
alter table audit_log_until_upgrade alter column id set default nextval('audit_log_id_seq');
alter table audit_log add primary key (id, month);
create index audit_log_environment_idx on audit_log (environment_id, id desc);
create index audit_log_flag_idx on audit_log (environment_id, flag_key, id desc) where flag_key <> '';
create index audit_log_project_idx on audit_log (project_id, id desc);
create index audit_log_project_actor_idx on audit_log (project_id, lower(actor_email), id desc);
create index audit_log_project_action_idx on audit_log (project_id, action, id desc);
create index audit_log_project_flag_idx on audit_log (project_id, flag_key, id desc) where flag_key <> '';
create index audit_log_project_time_idx on audit_log (project_id, created_at);
do $$ begin
  execute format('alter table audit_log attach partition audit_log_until_upgrade for values from (minvalue) to (%L)',
    (current_audit_month() + interval '1 month')::date);
  execute format('create table audit_chunks_until_upgrade partition of audit_chunks for values from (minvalue) to (%L)',
    (current_audit_month() + interval '1 month')::date);
end $$;
-- Where no month was made in time. Nothing is refused for that; the server moves it once it can make the month.
create table audit_log_other partition of audit_log default;
create table audit_chunks_other partition of audit_chunks default;

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_chunks_append_only before update or delete on audit_chunks
  for each row execute function refuse_audit_change();
do $$ declare relation text; begin
  foreach relation in array array['audit_log', 'audit_log_until_upgrade', 'audit_log_other',
    'audit_chunks', 'audit_chunks_until_upgrade', 'audit_chunks_other'] loop
    execute format('create trigger audit_log_no_truncate before truncate on %I for each statement execute function refuse_audit_change()',
      relation);
  end loop;
end $$;

-- Makes the partitions of this month and the next. Runs with the rights of the tables' owner, so that the server's role needs none on them.
create function make_audit_months() returns void language plpgsql security definer as $$
declare
  of_month date;
  parent text;
  partition_name text;
begin
  perform pg_advisory_xact_lock(4201980);
  foreach of_month in array array[current_audit_month(), (current_audit_month() + interval '1 month')::date] loop
    foreach parent in array array['audit_log', 'audit_chunks'] loop
      partition_name := parent || '_' || to_char(of_month, 'YYYYMM');
      continue when to_regclass(partition_name) is not null
        or exists (select from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = parent::regclass
          and pg_get_expr(relpartbound, inhrelid) like '%TO (''' || (of_month + interval '1 month')::date || ''')');
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        partition_name, parent, of_month, (of_month + interval '1 month')::date);
      execute format('create trigger audit_log_no_truncate before truncate on %I for each statement execute function refuse_audit_change()',
        partition_name);
    end loop;
  end loop;
end
$$;

-- Drops the months that ended before the day, and adds an entry that says so. The only way in which entries go: never single ones, never a
-- month that ended less than 31 days ago. Gives how many entries were dropped.
create function drop_audit_months(before_day date) returns bigint language plpgsql security definer as $$
declare
  cutoff date := least(before_day, (now() at time zone 'UTC')::date - 31);
  old record;
  dropped bigint := 0;
  entries bigint;
  last_month date;
begin
  perform pg_advisory_xact_lock(4201980);
  set local lock_timeout = '2s';
  for old in
    select child.relname as name, replace(child.relname, 'audit_log_', 'audit_chunks_') as chunks,
      substring(pg_get_expr(child.relpartbound, child.oid) from 'TO \(''([0-9-]+)''\)')::date as until
    from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'audit_log'::regclass
    order by 3
  loop
    continue when old.until is null or old.until > cutoff;
    -- Environments before anything else, in the order in which every write locks them.
    execute format('select from environments where id in (select environment_id from %I) order by id for no key update', old.name);
    execute format(
      'update environments set stored_bytes = greatest(0, environments.stored_bytes - gone.bytes) from (
         select environment_id, sum(coalesce(stored_bytes, 200 + coalesce(pg_column_size(before_data), 0) + coalesce(pg_column_size(after_data), 0))) as bytes
         from %I group by 1) gone
       where id = gone.environment_id', old.name);
    execute format('select count(*) from %I', old.name) into entries;
    execute format('drop table %I', old.name);
    execute format('drop table if exists %I', old.chunks);
    dropped := dropped + entries;
    last_month := (old.until - interval '1 month')::date;
  end loop;
  if last_month is not null then
    insert into audit_log (actor_email, action, metadata, created_at, stored_bytes)
    values ('system', 'delete', json_build_object('origin', 'direct', 'resource', 'audit_log',
      'until_month', to_char(last_month, 'YYYY-MM'), 'entries', dropped), now(), 0);
  end if;
  return dropped;
end
$$;

-- Names are looked up where this migration ran, never in a schema or temporary table of the caller.
do $$ declare signature text; begin
  foreach signature in array array['make_audit_months()', 'drop_audit_months(date)', 'chunked_text(date, uuid, bytea)', 'current_audit_month()'] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
  end loop;
end $$;
select make_audit_months();

-- What the writes of an environment store, in bytes: flags, segments, requests, schedules and audit, for its quota.
alter table environments add column stored_bytes bigint not null default 0;
update environments set stored_bytes = (
  select coalesce(sum(bytes), 0) from (
    select sum(bytes) from flags where environment_id = environments.id
    union all select sum(bytes) from segments where environment_id = environments.id
    union all select sum(bytes) from change_requests where environment_id = environments.id
    union all select sum(bytes) from scheduled_changes where environment_id = environments.id
    union all select sum(200 + coalesce(pg_column_size(before_data), 0) + coalesce(pg_column_size(after_data), 0))
      from audit_log where environment_id = environments.id
  ) as stored(bytes)
);

-- Kept by the writes themselves: audit entries and chunks by the statement that stores them, rows by what they grow or shrink.
create function count_stored_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update environments set stored_bytes = stored_bytes + new.bytes where id = new.environment_id;
  elsif tg_op = 'DELETE' then
    update environments set stored_bytes = greatest(0, stored_bytes - old.bytes) where id = old.environment_id;
  else
    update environments set stored_bytes = greatest(0, stored_bytes + new.bytes - old.bytes) where id = new.environment_id;
  end if;
  return null;
end
$$;
do $$ declare relation text; begin
  foreach relation in array array['flags', 'segments', 'change_requests', 'scheduled_changes'] loop
    execute format('create trigger %I after insert or delete on %I for each row execute function count_stored_bytes()',
      relation || '_count_bytes', relation);
    execute format('create trigger %I after update on %I for each row when (old.bytes <> new.bytes) execute function count_stored_bytes()',
      relation || '_count_changed_bytes', relation);
  end loop;
end $$;
