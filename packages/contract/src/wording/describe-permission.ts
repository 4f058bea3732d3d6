import type { Permission } from '../access.ts'

/** The meaning of each permission, in the words of the dashboard. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  read_project: 'See the project, its environments, members and SDK keys',
  read_project_flags: 'Compare environments',
  edit_project: 'Note why environments differ, and where code names flags',
  write_project: 'Rename the project',
  write_environments: 'Create and delete environments, and choose the default',
  write_members: 'Add and remove members, and change their roles',
  read_project_audit: 'Read and export the audit log of the project',
  write_keys: 'Create and revoke SDK keys',
  read_environment: 'Read flags, segments, reports and history',
  ingest: 'Send impressions and goal events',
  write_flags: 'Change flags',
  write_segments: 'Change segments',
  write_schedules: 'Schedule changes of flags, and cancel them',
  write_experiments: 'Change experiments',
  review_changes: 'Approve and reject change requests',
  write_environment: 'Change the settings of the environment, and whether it needs approval',
  write_webhooks: 'Manage webhooks',
  write_integrations: 'Manage Slack and Teams notifications',
  delete_reports: 'Delete reported impressions and goal events',
}
