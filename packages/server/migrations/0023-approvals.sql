-- locks: change_requests, environments
-- How many people approve a change, and who: users and roles; every reviewer where the list is empty.
alter table environments
  add column min_approvals integer not null default 1 check (min_approvals between 1 and 5),
  add column approvers json not null default '[]';

-- The approvals of a request so far, the comments on it, and the reason of an admin who passed over its approval.
drop trigger change_requests_count_changed_bytes on change_requests;
alter table change_requests drop column bytes;
alter table change_requests
  add column approvals json not null default '[]',
  add column comments json not null default '[]',
  add column bypass_reason text;
alter table change_requests add column bytes integer not null generated always as (
  500 + octet_length(patch::text) + octet_length(body::text) + octet_length(base_flag::text) + coalesce(octet_length(reason), 0)
  + coalesce(octet_length(decided::text), 0) + octet_length(approvals::text) + octet_length(comments::text)
  + coalesce(octet_length(bypass_reason), 0)
) stored;
create trigger change_requests_count_changed_bytes after update on change_requests for each row
  when (old.bytes <> new.bytes) execute function count_stored_bytes();
