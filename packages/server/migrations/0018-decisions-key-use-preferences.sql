-- locks: change_requests, projects, sdk_keys, users
-- The flag after a decision, or as it would have been, beside `base_flag`, which then has the flag before it.
-- Counted with the other sizes: the generated column is made again with one term more.
drop trigger change_requests_count_changed_bytes on change_requests;
alter table change_requests drop column bytes;
alter table change_requests add column decided json;
alter table change_requests add column bytes integer not null generated always as (
  500 + octet_length(patch::text) + octet_length(body::text) + octet_length(base_flag::text) + coalesce(octet_length(reason), 0)
  + coalesce(octet_length(decided::text), 0)
) stored;
create trigger change_requests_count_changed_bytes after update on change_requests for each row
  when (old.bytes <> new.bytes) execute function count_stored_bytes();

-- The use of SDK keys: the latest time, to the minute, and the open streams of each instance.
alter table sdk_keys add column last_used_at timestamptz;
create table key_stream_counts (
  instance_id uuid not null,
  key_id integer not null references sdk_keys (id) on delete cascade,
  streams integer not null,
  reported_at timestamptz not null,
  primary key (instance_id, key_id)
);
create index key_stream_counts_key_idx on key_stream_counts (key_id);

-- What people set up for themselves in a project: favorite flags, saved filters, the order of environments.
create table user_preferences (
  project_id uuid not null references projects (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  preferences json not null,
  primary key (user_id, project_id)
);
create index user_preferences_project_idx on user_preferences (project_id);
