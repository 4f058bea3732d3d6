-- locks: environments
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
