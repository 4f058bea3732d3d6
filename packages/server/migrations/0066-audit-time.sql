-- locks: audit_log
-- For windows of time of the workspace and of an environment: incidents and the audit log. The index of projects serves
-- these only by a search for each project.
create index audit_log_time_idx on audit_log (created_at);
