import { expect, test } from 'vitest'
import { readStreamUpdate } from '../../../src/app/live/stream-update.ts'

const ENV = '6f9b1c70-0000-4000-8000-000000000001'
const read = (update: unknown) => readStreamUpdate(JSON.stringify(update), ENV)

test('an UPSERT message gives the revision of a flag', () => {
  expect(read({ type: 'UPSERT', env_id: ENV, flag: { key: 'a', revision: 3, rules: [] } })).toEqual({
    key: 'a',
    revision: 3,
  })
})

test('a DELETE message states that SDKs no longer see a flag', () => {
  expect(read({ type: 'DELETE', env_id: ENV, key: 'a' })).toEqual({ key: 'a', revision: null })
})

test('an update of another environment, of an unknown type, or that cannot be read, is none', () => {
  expect(read({ type: 'DELETE', env_id: 'another', key: 'a' })).toBeNull()
  expect(read({ type: 'RENAME', env_id: ENV, key: 'a' })).toBeNull()
  expect(read({ type: 'UPSERT', env_id: ENV, flag: null })).toBeNull()
  expect(read({ type: 'UPSERT', env_id: ENV, flag: { key: 'a' } })).toBeNull()
  expect(read(null)).toBeNull()
  expect(readStreamUpdate('{', ENV)).toBeNull()
})
