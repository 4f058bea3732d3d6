import { wireNames } from 'virtual:contract-endpoints'
import { type Endpoint, endpoints } from '@burgee/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../src/shared/api/api-error.ts'
import { describeDetail, describePointer, plainText } from '../../../src/shared/api/plain-text.ts'

/** Pointers, field names, and the words of validators, which no page shows. */
const RAW = /(?:^|\s)\/[a-z]|[a-z]_[a-z]|`|must match|must NOT|instancePath|(?<![Vv]alue )schema\b|undefined/

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

const DEPTH_MAX = 6

/** Every field of a body as a JSON pointer. */
function pointersOf(schema: Schema | undefined, pointer = '', depth = 0): string[] {
  if (!schema || depth > DEPTH_MAX) return []
  const { allOf = [], anyOf = [], items, properties = {} } = schema
  return [
    pointer,
    ...Object.entries(properties).flatMap(([name, field]) =>
      pointersOf(field, `${pointer}/${name}`, depth + 1),
    ),
    ...pointersOf(items, `${pointer}/0`, depth + 1),
    ...[...anyOf, ...allOf].flatMap((part) => pointersOf(part, pointer, depth + 1)),
  ].filter((found) => found !== '')
}

const all: readonly (readonly [string, Endpoint])[] = Object.entries(endpoints)
test('no error shows the pointer or the name of a field, whatever field of an endpoint it is about', () => {
  for (const [name, { body, query }] of all) {
    for (const path of [...pointersOf(body as Schema), ...pointersOf(query as Schema)]) {
      const message = 'must be from 1 to 100'
      // As the server words an error: the pointers of all fields with their problems.
      const text = `${path} ${message}; ${path} is required.`
      const error = new ApiError(422, { error: text, details: [{ path, message }] })
      const [sentence = ''] = error.details.map(describeDetail)
      for (const shown of [error.message, sentence]) {
        expect(shown, `${name} ${path}`).not.toMatch(RAW)
        expect(shown, `${name} ${path}`).toMatch(/^[A-Z].* must be from 1 to 100.*\.$/)
      }
    }
  }
})

test('no refusal that the contract names shows a pointer, a field name or the words of a validator', () => {
  for (const [name, { refusals = {} }] of all) {
    for (const [status, refusal] of Object.entries(refusals)) {
      expect(new ApiError(Number(status), { error: refusal }).message, name).not.toMatch(RAW)
    }
  }
})

test('positions count from 1, and each is behind the singular of its list', () => {
  expect(describePointer('/rules/0/conditions/1/values')).toBe('rule 1 condition 2 values')
  expect(plainText('The segment "vip" has, at /rules/2/variant, a value.')).toBe(
    'The segment "vip" has, at rule 3 variant, a value.',
  )
})

test('what people wrote, addresses and settings stay as they are', () => {
  for (const text of [
    'There is no flag "new_checkout" here.',
    'A segment “beta_testers” exists.',
    'Call POST /api/environments with SDK_KEY.',
    'It must begin with https://hooks.slack.com/services/.',
    'On/off is 1/2.',
  ]) {
    expect(plainText(text)).toBe(text)
  }
})

const WORD = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/)
/** A name as people choose one: `staging_eu`. */
const NAME = fc
  .array(WORD, { minLength: 2, maxLength: 4 })
  .map((words) => words.join('_'))
  .filter((name) => !wireNames.includes(name))

test('a name with underscores survives without quotes, in a text and in the path of a field', () => {
  fc.assert(
    fc.property(NAME, (name) => {
      for (const text of [
        `The role ${name} exists already. Choose another key.`,
        `is required in the environment ${name}: give the reason`,
        `There is no account ${name}@example.com.`,
        `The issuer https://login.example.com/${name} is unavailable.`,
      ]) {
        expect(plainText(text)).toBe(text)
      }
      expect(describePointer(`/context/${name}`)).toBe(`context ${name}`)
      expect(plainText(`/context/${name} must be a text`)).toBe(`context ${name} must be a text`)
    }),
  )
})

test('no field and no fixed value of the contract is shown by its raw name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...wireNames), NAME, (field, name) => {
      const text = plainText(`The role ${name} lacks ${field}. Set ${field}, or leave out \`${field}\`.`)
      expect(text.replaceAll(name, '')).not.toMatch(RAW)
      expect(text).toContain(name)
      expect(plainText(`${field}@example.com and https://${field}.example.com`)).toContain(`${field}@`)
    }),
  )
  expect(wireNames).toEqual(expect.arrayContaining(['is_enabled', 'read_only', 'attempts_remaining']))
})

test('a message that is a sentence of its own is not put behind the name of its field', () => {
  const message = 'The last admin cannot be demoted.'
  expect(describeDetail({ path: '/role', message })).toBe(message)
})
