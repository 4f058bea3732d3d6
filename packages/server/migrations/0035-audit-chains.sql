-- locks: audit_log, domain_events, environments
-- One chain of hashes for each environment and one for the workspace (docs/trust.md). An entry's hash covers the hash before it, so
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

alter table audit_log add column chain text, add column seq bigint, add column hash bytea;
create index audit_log_chain_idx on audit_log (chain, seq);
alter table domain_events add column audit json;

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

-- Entries of before the chains stay as they are: `genesis` is the hash over them.
do $$
declare
  entry record;
  current text;
  hash bytea;
  last bigint;
  zeros constant bytea := decode(repeat('00', 32), 'hex');
begin
  insert into audit_chains (chain, head, genesis, base_hash) values ('workspace', zeros, zeros, zeros);
  insert into audit_chains (chain, project_id, environment_id, head, genesis, base_hash)
    select id::text, project_id, id, zeros, zeros, zeros from environments;
  for entry in
    select coalesce(environment_id::text, 'workspace') as of_chain, audit_log.*, coalesce(before_data::text,
        case when before_chunks is not null then audit_text(null, month, environment_id, before_chunks) end) as before_text,
      coalesce(after_data::text, case when after_chunks is not null then audit_text(null, month, environment_id, after_chunks) end) as after_text
    from audit_log order by 1, id
  loop
    if current is distinct from entry.of_chain then
      update audit_chains set head = hash, genesis = hash, base_hash = hash, genesis_id = last where chain = current;
      current := entry.of_chain;
      hash := zeros;
      insert into audit_chains (chain, project_id, environment_id, head, genesis, base_hash, closed_at)
        values (current, entry.project_id, entry.environment_id, zeros, zeros, zeros, now()) on conflict do nothing;
    end if;
    hash := audit_hash(hash, entry.id, null, null, entry.project_id, entry.environment_id, entry.flag_key, entry.actor_email,
      entry.action, entry.before_text, entry.after_text, entry.metadata::text, entry.created_at);
    last := entry.id;
  end loop;
  update audit_chains set head = hash, genesis = hash, base_hash = hash, genesis_id = last where chain = current;
end $$;

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
