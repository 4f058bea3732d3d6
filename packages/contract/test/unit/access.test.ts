import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  ACCESS,
  type Access,
  isAllowed,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  SERVER_KEY_PERMISSIONS,
  type UserRights,
} from '../../src/access.ts'
import { endpoints } from '../../src/endpoints.ts'

type EndpointName = keyof typeof endpoints

const PEOPLE = {
  viewer: { workspaceRole: 'viewer', permissions: ROLE_PERMISSIONS.viewer },
  editor: { workspaceRole: 'viewer', permissions: ROLE_PERMISSIONS.editor },
  'project admin': { workspaceRole: 'viewer', permissions: ROLE_PERMISSIONS.admin },
  stranger: { workspaceRole: 'viewer', permissions: null },
  'stranger who edits elsewhere': { workspaceRole: 'editor', permissions: null },
  'workspace admin': { workspaceRole: 'admin', permissions: null },
} as const satisfies Record<string, UserRights>
type Person = keyof typeof PEOPLE

const may = (name: EndpointName): Person[] =>
  (Object.keys(PEOPLE) as Person[]).filter((person) => isAllowed(endpoints[name].access, PEOPLE[person]))

const WORKSPACE_ADMINS: Person[] = ['workspace admin']
const PROJECT_ADMINS: Person[] = ['project admin', 'workspace admin']
const EDITORS: Person[] = ['editor', 'project admin', 'workspace admin']
const MEMBERS: Person[] = ['viewer', 'editor', 'project admin', 'workspace admin']

/** By the table of docs/reference/access.md#roles. */
describe('the rights of a signed-in user', () => {
  const rows: [operation: string, names: EndpointName[], allowed: Person[]][] = [
    [
      'read flags, impressions and other data of an environment as somebody with access to the project',
      ['listFlags', 'getFlag', 'getFlagHistory', 'compareFlags', 'listSegments', 'listImpressions'],
      MEMBERS,
    ],
    [
      'create, edit and delete flags, segments, experiments and scheduled changes as an editor or admin',
      ['putFlag', 'previewFlag', 'patchFlag', 'deleteFlag', 'createSegment', 'createExperiment'],
      EDITORS,
    ],
    ['schedule changes as an editor or admin', ['createScheduledChange', 'deleteScheduledChange'], EDITORS],
    [
      'manage environments, SDK keys and members as an admin',
      ['createEnvironment', 'updateEnvironment', 'deleteEnvironment', 'createSdkKey', 'addMember'],
      PROJECT_ADMINS,
    ],
    [
      'use webhooks and chat integrations, all routes, as an admin',
      ['listWebhooks', 'createWebhook', 'listWebhookDeliveries', 'listIntegrations', 'testIntegration'],
      PROJECT_ADMINS,
    ],
    [
      'manage users, create and delete projects as a workspace admin',
      ['listUsers', 'createUser', 'updateUser', 'deleteUser', 'createProject', 'deleteProject'],
      WORKSPACE_ADMINS,
    ],
  ]
  test.each(rows)('a signed-in user may %s', (_operation, names, allowed) => {
    for (const name of names) expect([name, may(name)]).toEqual([name, allowed])
  })

  test('reading the audit log of an environment needs access to the project', () => {
    expect(may('listEnvironmentAudit')).toEqual(MEMBERS)
  })

  test('every user may read their own account', () => {
    for (const person of Object.values(PEOPLE)) expect(isAllowed('read_self', person)).toBe(true)
  })
})

describe('the rights of users', () => {
  const all = Object.keys(ACCESS) as Access[]

  test('every endpoint in a project has a permission, an access of its own, or needs a workspace admin', () => {
    const inProjects = Object.values(endpoints).filter(({ path }) => /:(project_id|env_id)/.test(path))
    const others = new Set(
      inProjects.map(({ access }) => access).filter((access) => !PERMISSIONS.some((name) => name === access)),
    )
    expect(others).toEqual(new Set(['delete_project', 'read_own_access']))
  })

  test('the reference has a row with the holders of every permission', () => {
    const page = readFileSync(new URL('../../../../docs/reference/access.md', import.meta.url), 'utf8')
    const yes = (holds: boolean) => (holds ? 'yes' : '')
    for (const name of PERMISSIONS) {
      const { keys } = ACCESS[name]
      const { admin, editor, viewer } = ROLE_PERMISSIONS
      const key = keys === 'none' ? '' : keys.startsWith('managing') ? 'yes (m)' : 'yes'
      const cells = [yes(viewer.has(name)), yes(editor.has(name)), yes(admin.has(name)), key]
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
      expect([
        name,
        row
          .split('|')
          .slice(2, -1)
          .map((cell) => cell.trim()),
      ]).toEqual([name, cells])
    }
  })

  test('every permission has an endpoint', () => {
    const used = new Set<string>(Object.values(endpoints).map(({ access }) => access))
    expect(PERMISSIONS.filter((name) => !used.has(name))).toEqual([])
  })

  test('a server key permits what the built-in admin may do, and no changes of the project or its members', () => {
    const lacking = PERMISSIONS.filter((name) => !SERVER_KEY_PERMISSIONS.has(name))
    expect(lacking).toEqual([
      'read_project_flags',
      'edit_project',
      'write_project',
      'write_environments',
      'write_members',
      'read_project_audit',
    ])
    expect(new Set(PERMISSIONS)).toEqual(ROLE_PERMISSIONS.admin)
  })

  test.each(PERMISSIONS)('the permission %s alone gives exactly its endpoints', (name) => {
    const alone = { workspaceRole: 'viewer', permissions: new Set([name]) }
    for (const access of PERMISSIONS)
      expect([access, isAllowed(access, alone)]).toEqual([access, access === name])
  })

  test('rights of users grow with the role in the project', () => {
    for (const access of all) {
      const [viewer, editor, admin] = (['viewer', 'editor', 'project admin'] as const).map((person) =>
        isAllowed(access, PEOPLE[person]),
      )
      expect([access, viewer && !editor, editor && !admin]).toEqual([access, false, false])
    }
  })

  test('a workspace admin passes every check of membership, but not accesses of keys and tokens', () => {
    const refused = all.filter((access) => !isAllowed(access, PEOPLE['workspace admin']))
    expect(refused).toEqual([
      'setup_token',
      'metrics_token',
      'read_snapshot',
      'evaluate',
      'open_events',
      'ack',
    ])
  })

  test('a role without permissions has no rights in a project', () => {
    const none = { workspaceRole: 'editor', permissions: new Set<never>() }
    expect(PERMISSIONS.filter((name) => isAllowed(name, none))).toEqual([])
  })
})
