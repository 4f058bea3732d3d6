-- locks: audit_log, environments
-- Change requests and scheduled changes.

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
  -- The flag when the request was opened: what has changed since is shown to the reviewer.
  base_flag json not null,
  created_at timestamptz not null,
  reviewed_at timestamptz
);
create index change_requests_environment_idx on change_requests (environment_id, id desc);
create index change_requests_pending_idx on change_requests (environment_id) where status = 'pending';

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
  position bigint generated always as identity
);
create index scheduled_changes_environment_idx on scheduled_changes (environment_id, scheduled_at);
create index scheduled_changes_due_idx on scheduled_changes (scheduled_at) where executed_at is null;

-- The filters of a project's audit, each newest first.
create index audit_log_project_actor_idx on audit_log (project_id, lower(actor_email), id desc);
create index audit_log_project_action_idx on audit_log (project_id, action, id desc);
create index audit_log_project_flag_idx on audit_log (project_id, flag_key, id desc) where flag_key <> '';
create index audit_log_project_time_idx on audit_log (project_id, created_at);
