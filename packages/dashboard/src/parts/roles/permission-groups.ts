import type { Permission } from '@burgee/contract'

export interface PermissionGroup {
  readonly title: string
  readonly permissions: readonly Permission[]
}

/** Every permission, in groups for people. */
export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  {
    title: 'Flags and segments',
    permissions: ['read_environment', 'write_flags', 'write_segments', 'write_schedules', 'review_changes'],
  },
  {
    title: 'Experiments and reports',
    permissions: ['write_experiments', 'ingest', 'delete_reports'],
  },
  {
    title: 'Settings of an environment',
    permissions: ['write_environment', 'write_webhooks', 'write_integrations'],
  },
  {
    title: 'The project',
    permissions: [
      'read_project',
      'read_project_flags',
      'edit_project',
      'write_project',
      'write_environments',
      'write_members',
      'write_keys',
      'read_project_audit',
    ],
  },
]

/** These two give the sight of a project and of its flags, which every other permission builds on. */
export const READING: readonly Permission[] = ['read_project', 'read_environment']
