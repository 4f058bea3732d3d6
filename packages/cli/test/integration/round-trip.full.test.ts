import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptFlag, acceptSegment } from '../../../server/test/harness/accept-input.ts'
import { flagInputs } from '../../../server/test/harness/flag-inputs.ts'
import { run, temporaryFolder } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'

/** `npm run full -- round-trip` makes 1,000 environments and 10,000 pairs. */
const ROUNDS = process.env.BURGEE_FULL ? 10_000 : 150
const EXPORTED_EVERY = 10
const HOURS = 4 * 60 * 60 * 1_000

let server: CommandServer

beforeAll(async () => {
  server = await startCommandServer()
})
afterAll(() => server.close())

const { flagInput, segments } = flagInputs({ isSpoiled: false })
const KEYS = ['f0', 'f1', 'f2', 'f3', 'f4']
const fields = ['is_enabled', 'rollout_percentage', 'rules', 'variants', 'metadata', 'hash', 'variant_salt']
/** A document with some flags, some of which name some of their fields only. */
const document = fc.record({
  segments,
  flags: fc.uniqueArray(
    fc.record({
      key: fc.constantFrom(...KEYS),
      flag: flagInput.filter((flag) => acceptFlag(flag) !== null) as fc.Arbitrary<Record<string, unknown>>,
      kept: fc.option(fc.subarray(fields)),
    }),
    { selector: ({ key }) => key, maxLength: KEYS.length },
  ),
  prune: fc.boolean(),
})

type Document = typeof document extends fc.Arbitrary<infer T> ? T : never

/** The type of a flag stays, so that most documents fit the flags that are there. */
const typed = (key: string) => (['boolean', 'string', 'integer', 'json'] as const)[KEYS.indexOf(key) % 4]

/** The fields that rules of segments have; how users are divided belongs to flags. */
const ofSegment = (rule: object) =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => OF_SEGMENTS.includes(name)))
const OF_SEGMENTS = ['attribute', 'operator', 'values', 'conditions', 'segment_key', 'variant']

/** The moment of archiving is that of each call. */
const withoutTimes = (text: string) =>
  JSON.parse(text, (_, value) => (typeof value === 'string' && /^\d{4}-.*Z$/.test(value) ? 'a time' : value))

const toFile = ({ segments: rules, flags }: Document) => ({
  apiVersion: 'burgee/v1',
  name: 'random',
  environment: 'staging',
  segments: rules.map((one, at) => ({
    key: `s${at}`,
    name: `s${at}`,
    rules: acceptSegment(`s${at}`, one) === null ? [] : one.map(ofSegment),
  })),
  flags: flags
    .filter(({ key, flag }) => (flag.flag_type ?? 'boolean') === typed(key))
    .map(({ key, flag, kept }) =>
      kept === null
        ? { ...flag, key }
        : { key, ...Object.fromEntries(kept.map((name) => [name, flag[name]])), create: flag },
    )
    .map((flag) => JSON.parse(JSON.stringify(flag)))
    .map((flag) => ('create' in flag ? { ...flag, create: { ...flag.create, key: undefined } } : flag)),
})

test('apply makes what plan says, then nothing, and an export applies to nothing', {
  timeout: HOURS,
}, async () => {
  const folder = temporaryFolder()
  const env = { ...server.env, BURGEE_ENV: 'staging' }
  const burgee = (...args: string[]) => run([...args, '-o', 'json'], { env, cwd: folder })
  const figures = { pairs: 0, refused: 0, changes: 0, exports: 0 }
  await fc.assert(
    fc.asyncProperty(document, async (given) => {
      writeFileSync(join(folder, 'flags.json'), JSON.stringify(toFile(given)))
      const args = ['-f', 'flags.json', ...(given.prune ? ['--prune'] : [])]
      const planned = await burgee('plan', ...args)
      const applied = await burgee('apply', ...args)
      if (planned.code === 1) {
        // What cannot be applied cannot be planned, for the same reasons.
        expect(applied).toMatchObject({ code: 1, err: planned.err })
        figures.refused += 1
        return
      }
      const { changes } = JSON.parse(planned.out)
      expect(planned.code).toBe(changes.length > 0 ? 3 : 0)
      expect(applied.code).toBe(0)
      expect(withoutTimes(applied.out).changes).toEqual(withoutTimes(planned.out).changes)
      expect(await burgee('plan', ...args)).toMatchObject({ code: 0 })
      figures.pairs += 1
      figures.changes += changes.length
      if (figures.pairs % EXPORTED_EVERY !== 0) return
      await run(['export', '--archived', '--out', 'export.yaml'], { env, cwd: folder })
      expect(await burgee('plan', '-f', 'export.yaml')).toMatchObject({ code: 0 })
      expect(readFileSync(join(folder, 'export.yaml'), 'utf8')).toContain('apiVersion: burgee/v1')
      figures.exports += 1
    }),
    { numRuns: ROUNDS, endOnFailure: true },
  )
  process.stdout.write(`round trip: ${JSON.stringify(figures)}\n`)
  expect(figures.changes).toBeGreaterThan(ROUNDS / 2)
})
