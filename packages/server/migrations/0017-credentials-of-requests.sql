-- locks: change_requests
-- The credential that asked for a change, and who created it, as they were at that time. Null for earlier requests.
alter table change_requests add column requested_with json;
