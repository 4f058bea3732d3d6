import { createFlagSet } from '@burgee/evaluation'
import { expect, test } from 'vitest'
import { CLASSES, IMPORT_SYSTEMS, UnreadableFile } from '../../src/index.ts'
import { compile, importData } from './harness.ts'
import { mutate, numbersFrom, SAMPLES, sample } from './mutations.ts'

/** Mutations of each file here; `mutations.full.test.ts` has 10,000. */
const MUTATIONS = 50

test('changed files give flags that can be evaluated, or a reason', { timeout: 600_000 }, () => {
  expect(new Set(SAMPLES.map(([system]) => system))).toEqual(new Set(IMPORT_SYSTEMS))
  for (const [system, path] of SAMPLES) {
    const content = sample(path)
    const random = numbersFrom(7)
    const mutations = Array.from({ length: MUTATIONS }, () => mutate(content, random))
    const readable = mutations.filter((data) => importMutation(system, data))
    expect(readable.length, path).toBeGreaterThan(0)
  }
})

/** Returns whether the file could be read. */
function importMutation(system: (typeof IMPORT_SYSTEMS)[number], data: unknown): boolean {
  try {
    const imported = importData(system, [data])
    for (const flag of imported.report.flags) expect(CLASSES).toContain(flag.class)
    for (const [index] of imported.environments.entries()) compile(imported, index)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableFile)
    return false
  }
}

test('a file of another kind is refused with what is expected', () => {
  for (const system of IMPORT_SYSTEMS)
    for (const data of [null, [], {}, 'text', 7, { flags: 'none' }, { features: 7 }])
      expect(() => importData(system, [data])).toThrow(UnreadableFile)
})

test('conditions that would become too many rules, or are nested too deeply, leave the flag out', () => {
  const some = (name: string, count: number) => ({
    or: Array.from({ length: count }, (_, index) => ({ '==': [{ var: `${name}${index}` }, 'x'] })),
  })
  const wide = { and: [some('a', 9), some('b', 9)] }
  let deep: unknown = { '==': [{ var: 'a' }, 'x'] }
  for (let level = 0; level < 2_000; level++) deep = { '!': [deep] }
  const flag = (condition: unknown) => ({
    ...{ state: 'ENABLED', variants: { a: 'a', b: 'b' }, defaultVariant: 'a' },
    targeting: { if: [condition, 'b', 'a'] },
  })
  const { report } = importData('flagd', [{ flags: { wide: flag(wide), deep: flag(deep) } }])
  expect(report.flags.map((one) => [one.key, one.class, one.notes[0]?.code])).toEqual([
    ['wide', 'approximated', 'too_many_alternatives'],
    ['deep', 'skipped', 'too_deep'],
  ])
})

test('a share with many conditions inside is left out before it grows', () => {
  const entry = (index: number) => [{ if: [{ '==': [{ var: `a${index}` }, 'x'] }, 'a', 'b'] }, 1]
  const fractional = (count: number) => ({
    ...{ state: 'ENABLED', variants: { a: 'a', b: 'b' }, defaultVariant: 'a' },
    targeting: { fractional: Array.from({ length: count }, (_, index) => entry(index)) },
  })
  const { report } = importData('flagd', [{ flags: { few: fractional(3), many: fractional(100) } }])
  expect(report.flags.map((one) => [one.key, one.class, one.notes[0]?.code])).toEqual([
    ['few', 'exact', 'flagd_version'],
    ['many', 'skipped', 'too_many_cases'],
  ])
})

test('conditions that are chosen by conditions are not expanded without end', () => {
  let chosen: unknown = { '==': [{ var: 'a' }, 'x'] }
  for (let level = 0; level < 20; level++) chosen = { if: [chosen, false, false] }
  const flag = {
    ...{ state: 'ENABLED', variants: { a: 'a', b: 'b' }, defaultVariant: 'a' },
    targeting: { if: [chosen, 'b', 'a'] },
  }
  const { report } = importData('flagd', [{ flags: { flag } }])
  expect(report.flags[0]).toMatchObject({ class: 'approximated', notes: [{ code: 'too_deep' }] })
})

test('keys become keys of Burgee, each its own, and users stay where they are', () => {
  const keys = ['my flag', 'my.flag', 'my-flag', 'ä', '', 'x'.repeat(200), '__proto__']
  const flags = Object.fromEntries(
    keys.map((key) => [
      key,
      {
        state: 'ENABLED',
        variants: { a: 'a', b: 'b' },
        defaultVariant: 'a',
        targeting: {
          fractional: [
            ['a', 1],
            ['b', 1],
          ],
        },
      },
    ]),
  )
  const imported = importData('flagd', [{ flags }])
  const written = imported.environments[0]?.flags.map(({ key }) => key) ?? []
  expect(new Set(written).size).toBe(written.length)
  for (const key of written) expect(key).toMatch(/^[A-Za-z0-9_-]{1,100}$/)
  expect(imported.aliases).toMatchObject({ 'my flag': 'my-flag-2', 'my.flag': 'my-flag-3' })
  expect(imported.environments[0]?.flags.find(({ key }) => key === 'my-flag-2')).toMatchObject({
    variant_salt: 'my flag',
  })
  expect(createFlagSet(imported.environments[0]?.flags ?? []).size).toBe(written.length)
})

test('attributes are renamed wherever they are read', () => {
  const targeting = {
    if: [{ '==': [{ var: 'email' }, 'a'] }, { fractional: [{ var: 'email' }, ['a', 1], ['b', 1]] }, null],
  }
  const flags = { theme: { state: 'ENABLED', variants: { a: 'a', b: 'b' }, defaultVariant: 'a', targeting } }
  const { environments } = importData('flagd', [{ flags }], {
    attributes: new Map([['email', 'user_email']]),
  })
  const text = JSON.stringify(environments)
  expect(text).toContain('"bucket_by":"user_email"')
  expect(text).not.toContain('"email"')
})
