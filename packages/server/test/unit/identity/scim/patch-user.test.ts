import { describe, expect, it } from 'vitest'
import { patchUser } from '../../../../src/identity/scim/patch-user.ts'
import { project, readProjection } from '../../../../src/identity/scim/project-attributes.ts'
import { toUserId } from '../../../../src/identity/scim/to-user-id.ts'
import { accountName, emailOf, readUser, type UserDraft } from '../../../../src/identity/scim/user-draft.ts'

const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
const DRAFT: UserDraft = {
  ...{ userName: 'ada', externalId: '7', active: true },
  profile: {
    displayName: 'Ada L',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: 'ada@work.example', type: 'work', primary: true }, { value: 'ada@home.example' }],
  },
}
const patch = (...Operations: object[]) => patchUser(DRAFT, { schemas, Operations })

describe('a PATCH of a person', () => {
  it.each([
    ['a state as a text', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['a removed external id', { op: 'remove', path: 'externalId' }, { externalId: null }],
    ['an attribute that is not stored', { op: 'add', path: 'phoneNumbers', value: [{ value: '1' }] }, {}],
    [
      'an attribute of the enterprise extension',
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'R',
      },
      {},
    ],
  ])('%s', (_what, operation, changed) => {
    expect(patch(operation)).toEqual({ ...DRAFT, ...changed })
  })

  it('a part of the name that a value does not have stays', () => {
    const { profile } = patch({ op: 'replace', path: 'name', value: { givenName: 'Augusta' } })
    expect(profile.name).toEqual({ givenName: 'Augusta', familyName: 'Lovelace' })
  })

  it('the address of a type is replaced, also where the person has none of it', () => {
    const path = (type: string) => `emails[type eq "${type}"].value`
    const work = patch({ op: 'replace', path: path('work'), value: 'a@new.example' })
    expect(work.profile.emails).toContainEqual({ value: 'a@new.example', type: 'work', primary: true })
    const other = patch({ op: 'replace', path: path('other'), value: 'a@other.example' })
    expect(other.profile.emails).toHaveLength(3)
    expect(other.profile.emails).toContainEqual({ value: 'a@other.example', type: 'other' })
  })

  it('a new primary address is the only one', () => {
    const { profile } = patch({
      op: 'add',
      path: 'emails',
      value: [{ value: 'b@x.example', primary: 'True' }],
    })
    expect(profile.emails?.filter(({ primary }) => primary).map(({ value }) => value)).toEqual([
      'b@x.example',
    ])
  })

  it.each([
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: 'x'.repeat(321) }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: { a: 1 } }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: '8' }, 'mutability'],
    [{ op: 'replace', path: 'favouriteColour', value: 'red' }, 'invalidPath'],
    [{ op: 'replace', path: 'name.constructor', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails', value: Array(21).fill({ value: 'a@b' }) }, 'invalidValue'],
  ])('%j is refused', (operation, scimType) => {
    expect(() => patch(operation)).toThrow(expect.objectContaining({ status: 400, scimType }))
  })
})

describe('a person', () => {
  it.each([
    ['the primary address', { emails: [{ value: 'a@x' }, { value: 'b@x', primary: true }] }, 'b@x'],
    ['the address for work', { emails: [{ value: 'a@x' }, { value: 'b@x', type: 'Work' }] }, 'b@x'],
    ['the first address', { emails: [{ value: 'a@x' }, { value: 'b@x' }] }, 'a@x'],
    ['a userName that is an address', {}, 'ada@x'],
  ])('%s is that of the account', (_what, more, email) => {
    expect(emailOf(readUser({ userName: 'ada@x', ...more }))).toBe(email)
  })

  it('without an address is refused', () => {
    expect(() => emailOf(readUser({ userName: 'ada' }))).toThrow('needs an e-mail address')
  })

  it.each([
    [{ displayName: 'D', name: { formatted: 'F' } }, 'D'],
    [{ name: { formatted: 'F', givenName: 'G' } }, 'F'],
    [{ name: { givenName: 'G', familyName: 'H' } }, 'G H'],
    [{ displayName: '  ' }, 'ada'],
  ])('%j is named %s', (more, name) => {
    expect(accountName(readUser({ userName: 'ada', ...more }))).toBe(name)
  })

  it.each(['0', '-1', '01', '1e3', '2147483648', '99999999999', ''])('the id %j is none', (id) => {
    expect(toUserId(id)).toEqual([])
  })
})

describe('the attributes of a response', () => {
  const RESOURCE = { schemas: [], id: '1', userName: 'ada', name: {}, emails: [] }
  const shown = (query: Record<string, string>) =>
    Object.keys(project(RESOURCE, readProjection(new Map(Object.entries(query)))))

  it.each([
    [{}, ['schemas', 'id', 'userName', 'name', 'emails']],
    [{ attributes: 'USERNAME' }, ['schemas', 'id', 'userName']],
    [{ attributes: 'name.givenName, emails' }, ['schemas', 'id', 'name', 'emails']],
    [{ excludedattributes: 'id,name' }, ['schemas', 'id', 'userName', 'emails']],
    [{ attributes: ' , ' }, ['schemas', 'id', 'userName', 'name', 'emails']],
  ])('%j shows %j', (query, names) => {
    expect(shown(query)).toEqual(names)
  })
})
