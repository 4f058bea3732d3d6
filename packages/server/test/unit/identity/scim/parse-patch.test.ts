import { describe, expect, it } from 'vitest'
import { readGroupPatch } from '../../../../src/identity/scim/group-change.ts'
import { parsePatch } from '../../../../src/identity/scim/parse-patch.ts'
import { parsePath } from '../../../../src/identity/scim/parse-path.ts'
import { USER_SCHEMA } from '../../../../src/identity/scim/schema-uris.ts'

const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
const patch = (...Operations: unknown[]) => ({ schemas, Operations })
const refusedAs = (scimType: string) => expect.objectContaining({ status: 400, scimType })

describe('a path', () => {
  it.each([
    ['userName', { attribute: 'username', where: null, sub: null }],
    [' name.familyName ', { attribute: 'name', where: null, sub: 'familyname' }],
    [`${USER_SCHEMA}:active`, { attribute: 'active', where: null, sub: null }],
    [
      'emails[type eq "work"].value',
      { attribute: 'emails', where: { sub: 'type', value: 'work' }, sub: 'value' },
    ],
    ['emails[primary eq TRUE]', { attribute: 'emails', where: { sub: 'primary', value: true }, sub: null }],
    ['members[value eq "a]b"]', { attribute: 'members', where: { sub: 'value', value: 'a]b' }, sub: null }],
  ])('%s is read', (path, target) => {
    expect(parsePath(path, USER_SCHEMA)).toEqual(target)
  })

  it.each([
    '',
    '.',
    'a.b.c',
    'a[b',
    'a[b eq "c" and d eq "e"]',
    'a[b ne "c"]',
    'a[b eq "\\x"]',
    '__proto__',
    'a b',
    `a${'b'.repeat(500)}`,
  ])('%j is refused', (path) => {
    expect(() => parsePath(path, USER_SCHEMA)).toThrow(refusedAs('invalidPath'))
  })
})

describe('a PATCH', () => {
  it('names and operations ignore case, and a value without a path is one step for each field', () => {
    const body = {
      SCHEMAS: [schemas[0]?.toUpperCase()],
      operations: [{ OP: 'Replace', Value: { active: 'False', displayName: 'Ada' } }],
    }
    expect(parsePatch(body)).toEqual([
      { op: 'replace', path: 'active', value: 'False', isField: true },
      { op: 'replace', path: 'displayName', value: 'Ada', isField: true },
    ])
  })

  it.each([
    ['no object', null, 'invalidSyntax'],
    ['no schema', { Operations: [{}] }, 'invalidSyntax'],
    ['another schema', { schemas: ['urn:x'], Operations: [{}] }, 'invalidSyntax'],
    ['no operation', patch(), 'invalidSyntax'],
    ['an operation that is a list', patch([]), 'invalidSyntax'],
    ['an unknown operation', patch({ op: 'move', path: 'a' }), 'invalidSyntax'],
    ['a path that is no text', patch({ op: 'add', path: 7 }), 'invalidPath'],
    ['a removal without a path', patch({ op: 'remove' }), 'noTarget'],
    ['a text without a path', patch({ op: 'add', value: 'x' }), 'invalidValue'],
    ['1,001 operations', patch(...Array(1_001).fill({ op: 'add', path: 'a' })), 'tooMany'],
    [
      '1,001 fields',
      patch({ op: 'add', value: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`f${n}`, 1])) }),
      'tooMany',
    ],
  ])('%s is refused', (_what, body, scimType) => {
    expect(() => parsePatch(body)).toThrow(refusedAs(scimType))
  })
})

describe('the members in a PATCH of a group', () => {
  const read = (...operations: object[]) => {
    const { added, removed, replacesMembers } = readGroupPatch(patch(...operations))
    return { added: [...added], removed: [...removed], replacesMembers }
  }
  const members = (op: string, ...ids: string[]) => ({
    ...{ op, path: 'members' },
    value: ids.map((value) => ({ value })),
  })

  it.each([
    [
      'the last step for a member counts',
      [members('add', '1', '2'), members('remove', '2')],
      ['1'],
      ['2'],
      false,
    ],
    ['a member that comes back stays', [members('remove', '1'), members('add', '1')], ['1'], [], false],
    ['replace forgets earlier steps', [members('add', '1'), members('replace', '2')], ['2'], [], true],
    ['a removal without members removes all', [{ op: 'remove', path: 'members' }], [], [], true],
    ['a removal by a filter', [{ op: 'remove', path: 'members[value eq "7"]' }], [], ['7'], false],
  ])('%s', (_what, operations, added, removed, replacesMembers) => {
    expect(read(...operations)).toEqual({ added, removed, replacesMembers })
  })

  it.each([
    [{ op: 'add', path: 'members', value: [{ value: 7 }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: '' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: ['x'.repeat(101)] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: Array(10_001).fill('1') }, 'tooMany'],
    [{ op: 'add', path: 'members[value eq "7"]' }, 'invalidPath'],
    [{ op: 'replace', path: 'members.value', value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
  ])('%j is refused', (operation, scimType) => {
    expect(() => readGroupPatch(patch(operation))).toThrow(refusedAs(scimType))
  })

  it('the id among the fields of a rename is ignored', () => {
    const change = readGroupPatch(patch({ op: 'replace', value: { id: 'x', displayName: 'New' } }))
    expect(change).toMatchObject({ displayName: 'New', replacesMembers: false })
  })
})
