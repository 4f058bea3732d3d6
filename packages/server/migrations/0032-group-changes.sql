-- locks: audit_log, scim_users, waiting_group_changes, workspace
-- One queue of the people to whom groups are to give roles, also for the groups of SCIM. `groups_revision` grows when
-- people come into it, and the poll of the changefeed reads it, so that nothing asks for the queue while it is empty.
alter table workspace add column groups_revision bigint not null default 0;

-- The number of the last change, so that a change that comes while an earlier one is applied is not lost.
alter table waiting_group_changes add column change_id bigint generated always as identity;
insert into waiting_group_changes (user_id, requested_by)
  select user_id, 'scim' from scim_users where groups_version <> applied_version and deleted_at is null
  on conflict (user_id) do nothing;
alter table scim_users drop column applied_version;

-- For the filters `group` and `credential` of the workspace's audit log. Most entries of flags have no group of their own
-- kind, and are not in the first one.
create index audit_log_group_idx on audit_log ((case
  when starts_with(action, 'auth.') then 'authentication'
  when starts_with(action, 'change_request.') then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{change_request}'::text[]) then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{user,member,role,session,access_token,identity,group_mapping,service_account,scim,scim_token,scim_group}'::text[]) then 'people'
  when split_part(metadata ->> 'resource', ':', 1) = any('{sdk_key}'::text[]) then 'keys'
  when split_part(metadata ->> 'resource', ':', 1) = any('{project,environment,workspace,audit_log}'::text[]) then 'projects'
  when split_part(metadata ->> 'resource', ':', 1) = any('{segment,experiment,reports}'::text[]) then 'segments'
  when split_part(metadata ->> 'resource', ':', 1) = any('{webhook,integration}'::text[]) then 'receivers'
end), id desc) where (case
  when starts_with(action, 'auth.') then 'authentication'
  when starts_with(action, 'change_request.') then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{change_request}'::text[]) then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{user,member,role,session,access_token,identity,group_mapping,service_account,scim,scim_token,scim_group}'::text[]) then 'people'
  when split_part(metadata ->> 'resource', ':', 1) = any('{sdk_key}'::text[]) then 'keys'
  when split_part(metadata ->> 'resource', ':', 1) = any('{project,environment,workspace,audit_log}'::text[]) then 'projects'
  when split_part(metadata ->> 'resource', ':', 1) = any('{segment,experiment,reports}'::text[]) then 'segments'
  when split_part(metadata ->> 'resource', ':', 1) = any('{webhook,integration}'::text[]) then 'receivers'
end) is not null;
create index audit_log_credential_kind_idx on audit_log ((metadata -> 'credential' ->> 'kind'), id desc)
  where metadata -> 'credential' ->> 'kind' is not null;
create index audit_log_credential_idx on audit_log ((metadata -> 'credential' ->> 'id'), id desc)
  where metadata -> 'credential' ->> 'id' is not null;
