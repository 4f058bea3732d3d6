-- locks: audit_log
-- Flags that programs evaluate and that do not exist, by the reports of SDKs. At most 1,000 keys for each environment.
-- No foreign key, as for reports: storing them must not wait for the row of the environment. Those of a deleted
-- environment are removed with its reports.
create table unknown_flags (
  environment_id uuid not null,
  flag_key text collate "C" not null,
  count bigint not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (environment_id, flag_key)
);
create index unknown_flags_last_seen_idx on unknown_flags (last_seen);

-- For the filter `switched` of the audit log: entries that switched a flag, and entries whose flags are in chunks, which an
-- index cannot look into. Without it every entry of the project is parsed: 1.5 s for 200,000.
create index audit_log_switched_idx on audit_log (project_id, id desc)
  where flag_key <> '' and ((before_data ->> 'is_enabled') <> (after_data ->> 'is_enabled')
    or before_chunks is not null or after_chunks is not null);
