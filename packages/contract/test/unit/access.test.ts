import { describe, expect, test } from 'vitest'
import { ACCESS, type Access, USER_ACCESS, type UserRoles, userMay } from '../../src/access.ts'
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
  (Object.keys(PEOPLE) as Person[]).filter((person) => userMay(endpoints[name].access, PEOPLE[person]))

const WORKSPACE_ADMINS: Person[] = ['workspace admin']
const PROJECT_ADMINS: Person[] = ['project admin', 'workspace admin']
const EDITORS: Person[] = ['editor', 'project admin', 'workspace admin']
const MEMBERS: Person[] = ['viewer', 'editor', 'project admin', 'workspace admin']

/** By the table of docs/reference/access.md#roles. */
describe('a signed-in person may', () => {
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
  test.each(rows)('%s', (_operation, names, allowed) => {
    for (const name of names) expect([name, may(name)]).toEqual([name, allowed])
  })

  test('read the audit log of an environment as somebody with access to the project', () => {
    expect(may('listEnvironmentAudit')).toEqual(MEMBERS)
  })

  test('see themselves whatever their roles', () => {
    for (const person of Object.values(PEOPLE)) expect(userMay('read_self', person)).toBe(true)
  })
})

describe('the rights of people', () => {
  const all = Object.keys(ACCESS) as Access[]

  test('are said for each access', () => {
    expect(Object.keys(USER_ACCESS)).toEqual(all)
  })

  test('grow with the role in the project', () => {
    for (const access of all) {
      const [viewer, editor, admin] = (['viewer', 'editor', 'project admin'] as const).map((person) =>
        userMay(access, PEOPLE[person]),
      )
      expect([access, viewer && !editor, editor && !admin]).toEqual([access, false, false])
    }
  })

  test('pass every check of membership for a workspace admin, but not what is for a key or a token', () => {
    const refused = all.filter((access) => !userMay(access, PEOPLE['workspace admin']))
    expect(refused).toEqual(['setup_token', 'metrics_token', 'read_snapshot'])
  })

  test('are none for a role that nobody knows', () => {
    expect(userMay('read_project', { workspaceRole: 'viewer', projectRole: 'owner' })).toBe(false)
  })
})
