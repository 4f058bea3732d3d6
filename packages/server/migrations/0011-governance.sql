-- locks: environments, projects
-- Changes that wait for approval or for their time, and what no write may leave.

create table change_requests (
  id integer generated always as identity primary key,
  environment_id uuid not null references environments (id) on delete cascade,
  flag_key text not null,
  operation text not null,
  patch json not null,
  -- The operation whole, as it is done when it is approved.
  body json not null,
  -- Where approving it schedules the patch.
  scheduled_at timestamptz,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  requested_by text not null,
  -- Who that is, for the four-eyes rule: `user:<id>` or `sdk_key:<id>`. No foreign key: requests outlive people.
  requester text not null,
  reviewed_by text,
  reason text,
  -- The flag when the request was opened: what has changed since is shown to the reviewer. After a decision, the flag before it.
  base_flag json not null,
  created_at timestamptz not null,
  reviewed_at timestamptz,
  -- The user behind whoever asked, who may not approve: the person, or the creator of the key.
  requester_user_id integer,
  -- Why something was done: of requests and schedules here, of changes in the metadata of their audit entries.
  comment text,
  review_comment text,
  -- The flag after a decision, or as it would have been.
  decided json,
  -- The approvals of a request so far, the comments on it, and the reason of an admin who passed over its approval.
  approvals json not null default '[]',
  comments json not null default '[]',
  bypass_reason text,
  bytes integer not null generated always as (
    500 + octet_length(patch::text) + octet_length(body::text) + octet_length(base_flag::text) + coalesce(octet_length(reason), 0)
    + coalesce(octet_length(decided::text), 0) + octet_length(approvals::text) + octet_length(comments::text)
    + coalesce(octet_length(bypass_reason), 0)
  ) stored,
  -- The makers of the service account behind a request, at that time: it may be deleted before the decision.
  requester_maker_ids integer[] not null default '{}'
);
create index change_requests_environment_idx on change_requests (environment_id, id desc);
create index change_requests_pending_idx on change_requests (environment_id) where status = 'pending';
create trigger change_requests_count_bytes after insert or delete on change_requests
  for each row execute function count_stored_bytes();
create trigger change_requests_count_changed_bytes after update on change_requests
  for each row when (old.bytes <> new.bytes) execute function count_stored_bytes();

create table scheduled_changes (
  id uuid primary key,
  environment_id uuid not null references environments (id) on delete cascade,
  flag_key text not null,
  scheduled_at timestamptz not null,
  patch json not null,
  scheduled_by text not null,
  -- The request that was approved for it; null where none was needed.
  change_request_id integer,
  executed_at timestamptz,
  error text,
  created_at timestamptz not null,
  -- Order among those of one moment.
  position bigint generated always as identity,
  bytes integer not null generated always as (
    400 + octet_length(patch::text) + coalesce(octet_length(error), 0)
  ) stored,
  comment text,
  -- One that failed with an unexpected error: how often, and when it is tried again.
  failed_attempts integer not null default 0,
  retry_at timestamptz
);
create index scheduled_changes_environment_idx on scheduled_changes (environment_id, scheduled_at);
create index scheduled_changes_due_idx on scheduled_changes (scheduled_at) where executed_at is null;
create index scheduled_changes_retry_idx on scheduled_changes (environment_id, flag_key)
  where executed_at is null and retry_at is not null;
-- The pending changes of a requester by time.
create index scheduled_changes_requester_idx on scheduled_changes (scheduled_by, scheduled_at, position)
  where executed_at is null;
create trigger scheduled_changes_count_bytes after insert or delete on scheduled_changes
  for each row execute function count_stored_bytes();
create trigger scheduled_changes_count_changed_bytes after update on scheduled_changes
  for each row when (old.bytes <> new.bytes) execute function count_stored_bytes();

-- Conditions on what users can get of the flags of a project.
create table invariants (
  project_id uuid not null references projects (id) on delete cascade,
  key text collate "C" not null,
  description text,
  environments json,
  demand json not null,
  enforcement text not null check (enforcement in ('block', 'warn')),
  created_by text not null,
  created_at timestamptz not null,
  primary key (project_id, key)
);
