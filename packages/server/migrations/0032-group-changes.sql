-- One queue of the people to whom groups are to give roles, also for the groups of SCIM. `groups_revision` grows when
-- people come into it, and the poll of the changefeed reads it, so that nothing asks for the queue while it is empty.
alter table workspace add column groups_revision bigint not null default 0;

-- The number of the last change, so that a change that comes while an earlier one is applied is not lost.
alter table waiting_group_changes add column change_id bigint generated always as identity;
insert into waiting_group_changes (user_id, requested_by)
  select user_id, 'scim' from scim_users where groups_version <> applied_version and deleted_at is null
  on conflict (user_id) do nothing;
alter table scim_users drop column applied_version;
