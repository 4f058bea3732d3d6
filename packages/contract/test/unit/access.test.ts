import { describe, expect, test } from 'vitest'
import { ACCESS, type Access, isAllowed, USER_ACCESS, type UserRoles } from '../../src/access.ts'
import { endpoints } from '../../src/endpoints.ts'

type EndpointName = keyof typeof endpoints

const PEOPLE = {
  viewer: { workspaceRole: 'viewer', projectRole: 'viewer' },
  editor: { workspaceRole: 'viewer', projectRole: 'editor' },
  'project admin': { workspaceRole: 'viewer', projectRole: 'admin' },
  stranger: { workspaceRole: 'viewer', projectRole: null },
  'stranger who edits elsewhere': { workspaceRole: 'editor', projectRole: null },
  'workspace admin': { workspaceRole: 'admin', projectRole: null },
} as const satisfies Record<string, UserRoles>
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

  test('every access has a right of users', () => {
    expect(Object.keys(USER_ACCESS)).toEqual(all)
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
    expect(refused).toEqual(['setup_token', 'metrics_token', 'read_snapshot', 'ack'])
  })

  test('an unknown role has no rights', () => {
    expect(isAllowed('read_project', { workspaceRole: 'viewer', projectRole: 'owner' })).toBe(false)
  })
})
