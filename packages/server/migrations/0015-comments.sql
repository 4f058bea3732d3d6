-- locks: change_requests, environments, scheduled_changes
-- Why something was done: of requests and schedules here, of changes in the metadata of their audit entries.
alter table change_requests add column comment text, add column review_comment text;
alter table scheduled_changes add column comment text;
alter table environments add column require_comment boolean not null default false;
