import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DataKeyLocked, openDataKey } from '../../../src/platform/crypto/data-key.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'

const OLD = 'an-old-session-secret-of-some-40-characters'
const NEW = 'a-new-session-secret-of-some-40-characters'
const TEXT = 'https://hooks.example.com/services/ä/👋'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
  await setUp(new Date().toISOString())
})
afterEach(() => database.drop())

const open = (...secrets: string[]) => openDataKey(database, secrets)

const stored = async (): Promise<string | null> =>
  (await database.db.selectFrom('workspace').select('data_key').executeTakeFirstOrThrow()).data_key

const setUp = (setup_completed_at: string | null) =>
  database.db.updateTable('workspace').set({ setup_completed_at }).execute()

const store = (data_key: string | null) => database.db.updateTable('workspace').set({ data_key }).execute()

describe('secrets at rest', () => {
  test('a sealed secret opens again, also after a restart, and looks different each time', async () => {
    const key = await open(OLD)
    for (const text of ['', TEXT, 'x'.repeat(100_000), '\0']) {
      const sealed = [key.seal(text), key.seal(text)]
      expect(new Set(sealed).size).toBe(2)
      for (const each of sealed) {
        expect(each).toMatch(/^v1\.[\w-]+$/)
        expect((await open(OLD)).open(each)).toBe(text)
      }
    }
  })

  test('neither the sealed text nor the stored key reveals the secret', async () => {
    const key = await open(OLD)
    const everything = `${key.seal(TEXT)} ${await stored()}`
    for (const form of [TEXT, OLD]) {
      expect(everything).not.toContain(form)
      expect(everything).not.toContain(Buffer.from(form).toString('base64url').slice(0, 20))
    }
  })

  test('before set-up a data key that no secret unwraps is replaced', async () => {
    await setUp(null)
    await open(OLD)
    const key = await open(NEW)
    expect((await open(NEW)).open(key.seal(TEXT))).toBe(TEXT)
  })

  test('several instances that start together agree on one data key', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => open(OLD)))
    const sealed = keys.map((key) => key.seal(TEXT))
    for (const key of keys) expect(sealed.map(key.open)).toEqual(sealed.map(() => TEXT))
  })

  test('a changed sealed secret does not open', async () => {
    const key = await open(OLD)
    const sealed = key.seal('ab')
    const changed = Array.from(sealed, (letter, at) => {
      const other = letter === 'A' ? 'B' : 'A'
      return sealed.slice(0, at) + other + sealed.slice(at + 1)
    })
    const damaged = ['', 'v1', 'v1.', 'v1.AA', `${sealed}A`, `${sealed}=`, `${sealed}.A`, sealed.slice(0, -1)]
    for (const text of [...changed, ...damaged, sealed.replace('v1.', 'v2.'), sealed.slice(3)]) {
      expect(() => key.open(text)).toThrow('does not open')
    }
  })

  test("a secret sealed with another database's key does not open", async () => {
    const sealed = (await open(OLD)).seal(TEXT)
    await store(null)
    const other = await open(OLD)
    expect(() => other.open(sealed)).toThrow('does not open')
  })

  test('the wrapped data key does not open as a secret', async () => {
    const key = await open(OLD)
    const wrapped = (await stored()) ?? ''
    expect(() => key.open(wrapped)).toThrow('does not open')
  })
})

describe('rotation of SESSION_SECRET', () => {
  test('every secret of the list unwraps the data key, which is wrapped again with the first', async () => {
    const sealed = (await open(OLD)).seal(TEXT)
    const before = await stored()
    expect((await open(NEW, OLD)).open(sealed)).toBe(TEXT)
    expect(await stored()).not.toBe(before)
    expect((await open(NEW)).open(sealed)).toBe(TEXT)
    await expect(open(OLD)).rejects.toThrow(DataKeyLocked)
  })

  test('a start without a rotation does not change the data key', async () => {
    await open(OLD)
    const before = await stored()
    await open(OLD)
    await open(OLD, NEW)
    expect(await stored()).toBe(before)
  })

  test('instances with both orders of the list may start together', async () => {
    const sealed = (await open(OLD)).seal(TEXT)
    const lists = [
      [OLD, NEW],
      [NEW, OLD],
    ]
    const keys = await Promise.all([...lists, ...lists, ...lists].map((list) => open(...list)))
    for (const key of keys) expect(key.open(sealed)).toBe(TEXT)
  })

  test('a data key that no secret unwraps stops the start with an instruction, and is not changed', async () => {
    await open(OLD)
    const before = await stored()
    await expect(open(NEW)).rejects.toThrow('SESSION_SECRET must include the secret it was sealed with')
    await expect(open(NEW)).rejects.not.toThrow(OLD)
    expect(await stored()).toBe(before)
  })

  test('a damaged data key stops the start as well', async () => {
    await open(OLD)
    await store('v1.AAAA')
    await expect(open(OLD)).rejects.toThrow(DataKeyLocked)
  })
})
