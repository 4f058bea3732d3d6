-- locks: environments
-- What a write leaves beside its rows: the change log that SDKs follow, the outbox, and the bytes that it stores.

-- What SDKs see changing, one row a revision, without gaps. `kind` is 'none' where a write took a revision that
-- SDKs do not see (a change to an archived flag). The log is kept: the flags of an environment can be read at any of its
-- revisions. Databases from before that had their flags stored once at the revision of then, so one may have several rows.
-- A reader that meets a hole loads anew.
create table environment_changes (
  environment_id uuid not null references environments (id) on delete cascade,
  revision bigint not null,
  kind text not null check (kind in ('upsert', 'delete', 'none')),
  flag_key text not null,
  flag json,
  created_at timestamptz not null default now(),
  -- A large flag is in chunks (`audit_chunks`).
  flag_chunks bytea,
  flag_size integer,
  chunk_month date,
  -- The written rule and the segments that each expanded rule of a flag comes from; null where each expanded rule is
  -- the written one at its place.
  origins json,
  -- The entry of the write.
  audit_id bigint,
  -- What a row of the kept change log adds to the storage of its environment; 0 in rows of before.
  bytes integer not null default 0,
  primary key (environment_id, revision, flag_key)
);
create index environment_changes_created_at_idx on environment_changes using brin (created_at);
create index environment_changes_flag_idx on environment_changes (environment_id, flag_key, revision desc);
create index environment_changes_audit_idx on environment_changes (audit_id) where audit_id is not null;
create index environment_changes_time_idx on environment_changes (environment_id, created_at);

-- The outbox: domain events written in the transaction of the change they tell of. They are fanned out to their receivers once;
-- they stay for some days, for what is sent again.
create table domain_events (
  id bigint generated always as identity primary key,
  project_id uuid not null,
  environment_id uuid not null,
  type text not null,
  data json,
  created_at timestamptz not null,
  fanned_out_at timestamptz,
  data_chunks bytea,
  data_size integer,
  chunk_month date,
  audit json,
  check (num_nonnulls(data, data_chunks) = 1)
);
create index domain_events_created_at_idx on domain_events using brin (created_at);
create index domain_events_waiting_idx on domain_events (id) where fanned_out_at is null;
-- Waiting events by environment, so that the backlog of one does not hide those of the others.
create index domain_events_waiting_environment_idx on domain_events (environment_id, id) where fanned_out_at is null;

-- What changes the stored bytes of an environment without a lock on its row, such as small audit entries. Added up now and then.
create table stored_bytes_changes (
  id bigint generated always as identity primary key,
  environment_id uuid not null references environments on delete cascade,
  bytes bigint not null
);
create index stored_bytes_changes_environment_idx on stored_bytes_changes (environment_id) include (bytes);

-- Kept by the writes themselves: audit entries and chunks by the statement that stores them, rows by what they grow or shrink.
-- A counted table has a column `bytes` with the size of a row's JSON, about, so that a page of a list is bounded before it is read.
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
