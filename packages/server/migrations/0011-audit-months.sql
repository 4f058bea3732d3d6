-- locks: environments
-- Months of the audit log are made and dropped by the server, in steps that each lock little (platform/db/make-audit-months.ts and
-- drop-audit-months.ts). A function is one transaction, which holds its locks until the last step.
drop function make_audit_months();
drop function drop_audit_months(date);

-- What changes the stored bytes of an environment without a lock on its row, such as small audit entries. Added up now and then.
create table stored_bytes_changes (
  id bigint generated always as identity primary key,
  environment_id uuid not null references environments on delete cascade,
  bytes bigint not null
);
create index stored_bytes_changes_environment_idx on stored_bytes_changes (environment_id) include (bytes);
