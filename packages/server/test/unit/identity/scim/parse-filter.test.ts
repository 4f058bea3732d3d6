import { describe, expect, it } from 'vitest'
import { readListQuery } from '../../../../src/identity/scim/list-query.ts'
import { parseFilter } from '../../../../src/identity/scim/parse-filter.ts'

describe('a filter', () => {
  it.each([
    ['userName eq "ada@example.com"', [{ attribute: 'username', value: 'ada@example.com' }]],
    ['  USERNAME   EQ "Ada"  ', [{ attribute: 'username', value: 'Ada' }]],
    ['active eq true', [{ attribute: 'active', value: true }]],
    ['active eq False', [{ attribute: 'active', value: false }]],
    ['emails[type eq "work"].value eq "a@b"', [{ attribute: 'emails.value', value: 'a@b' }]],
    ['members[value eq "12"]', [{ attribute: 'members.value', value: '12' }]],
    ['displayName eq "say \\"hi\\""', [{ attribute: 'displayname', value: 'say "hi"' }]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', [{ attribute: 'username', value: 'a' }]],
    [
      'externalId eq "1 and 2" AND active eq true',
      [
        { attribute: 'externalid', value: '1 and 2' },
        { attribute: 'active', value: true },
      ],
    ],
  ])('%s is read', (text, conditions) => {
    expect(parseFilter(text)).toEqual(conditions)
  })

  it.each([
    ['nothing', ''],
    ['another operator', 'userName co "a"'],
    ['or', 'userName eq "a" or userName eq "b"'],
    ['not', 'not (userName eq "a")'],
    ['brackets', '(userName eq "a")'],
    ['no value', 'userName eq'],
    ['a number', 'userName eq 7'],
    ['an open text', 'userName eq "a'],
    ['an invalid escape', 'userName eq "\\x"'],
    ['half of a character', 'userName eq "\\ud800"'],
    ['the character that ends texts', 'userName eq "\\u0000"'],
    ['an end without a comparison', 'userName eq "a" and'],
    ['six comparisons', Array(6).fill('userName eq "a"').join(' and ')],
    ['1,001 characters', `userName eq "${'a'.repeat(1_000)}"`],
  ])('%s is refused as an invalid filter', (_what, text) => {
    expect(() => parseFilter(text)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidFilter' }),
    )
  })
})

describe('the query of a list', () => {
  const read = (entries: Record<string, string>) =>
    readListQuery(new Map(Object.entries(entries)), () => true)

  it.each([
    [{}, { offset: 0, limit: 200 }],
    [
      { startindex: '11', count: '10' },
      { offset: 10, limit: 10 },
    ],
    [
      { startindex: '0', count: '-5' },
      { offset: 0, limit: 0 },
    ],
    [
      { startindex: '999999999999', count: '999999999999' },
      { offset: 2_147_483_646, limit: 200 },
    ],
  ])('%j gives %j', (entries, page) => {
    expect(read(entries)).toEqual({ conditions: [], ...page })
  })

  it.each(['1.5', 'ten', '1e3', '0x10', '1'.repeat(13)])('startIndex %s is refused', (startindex) => {
    expect(() => read({ startindex })).toThrow(expect.objectContaining({ scimType: 'invalidValue' }))
  })

  it('an attribute that cannot be compared is refused with its name', () => {
    const query = new Map([['filter', 'title eq "x"']])
    expect(() => readListQuery(query, () => false)).toThrow('cannot compare title')
  })
})
