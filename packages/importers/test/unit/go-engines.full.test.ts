import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { verifyImport } from '../../src/engines/verify-import.ts'
import { type ImportSystem, importFiles, parseFile, type VerifiedFlag } from '../../src/index.ts'
import type { SourceFile } from '../../src/system.ts'
import {
  buildGoEngine,
  FLAGD_ENGINE,
  GOFF_ENGINE,
  type GoEngine,
  NOW_MS,
  OLD_FLAGD_ENGINE,
  startGoEngine,
} from '../engines/go-engines.ts'
import { compileEnvironment } from './harness.ts'
import { FLAGD_FILES } from './random-files/flagd.ts'
import { GOFF_FILES } from './random-files/goff.ts'
import type { RandomFiles } from './random-files/random-files.ts'

const FILES = process.env.BURGEE_FULL ? 400 : 40
const USERS = 1_000
/** Users of each file that are drawn from the values that its rules name. */
const DRAWN = 40
const SEED = process.env.BURGEE_FUZZ_SEED
const SAMPLES = new URL('../samples/', import.meta.url)
const TIMEOUT_MS = 1_200_000

interface Compared {
  readonly system: ImportSystem
  readonly engine: GoEngine
  readonly files: RandomFiles
  readonly samples: string
  /** The codes of notes of exact flags that say that the engine differs. */
  readonly named: readonly string[]
}

const ENGINES: readonly Compared[] = [
  { system: 'goff', engine: GOFF_ENGINE, files: GOFF_FILES, samples: 'go-feature-flag', named: [] },
  { system: 'flagd', engine: FLAGD_ENGINE, files: FLAGD_FILES, samples: 'flagd', named: [] },
  {
    ...{ system: 'flagd', engine: OLD_FLAGD_ENGINE, files: FLAGD_FILES, samples: 'flagd' },
    named: ['flagd_version', 'javascript_differs'],
  },
]

describe.each(ENGINES)('exact flags give users what $engine.name gives them', (compared) => {
  const { engine, named, samples, system } = compared
  const problem = buildGoEngine(engine)
  if (problem !== null) {
    process.stdout.write(`${problem}\n`)
    test.skip(problem, () => {})
    return
  }
  const { kind, stop } = startGoEngine(engine)
  afterAll(stop)
  const agrees = ({ notes }: { notes: readonly { code: string }[] }) =>
    notes.every(({ code }) => !named.includes(code))

  async function compareFiles(files: readonly SourceFile[], pools: RandomFiles['pools'] | null) {
    const imported = importFiles(system, files, { nowMs: NOW_MS })
    const input = { engine: { ...kind, agrees }, imported, files, wanted: undefined }
    const run = { ...input, compile: compileEnvironment, load: () => Promise.reject(new Error('Go only')) }
    const drawn = pools && { all: new Map(Object.entries(pools)), ofFlags: [] }
    const { flags } = await verifyImport({
      ...{ ...run, count: drawn ? USERS : DRAWN },
      ...(drawn && { pools: drawn }),
    })
    return { flags, total: imported.report.flags.length }
  }
  const wrong = (flags: readonly VerifiedFlag[]) => flags.filter(({ differences }) => differences > 0)

  test(`random files: ${FILES}, each for ${USERS} users`, { timeout: TIMEOUT_MS }, async () => {
    const figures = { files: 0, flags: 0, exact: 0 }
    const differsNowhere = async (content: object) => {
      const files = [{ name: 'flags.json', data: JSON.parse(JSON.stringify(content)) as unknown }]
      const { flags, total } = await compareFiles(files, compared.files.pools)
      figures.files += 1
      figures.flags += total
      figures.exact += flags.length
      expect(wrong(flags)).toEqual([])
      // The users that `--verify` draws differ nowhere either.
      expect(wrong((await compareFiles(files, null)).flags)).toEqual([])
    }
    await fc.assert(fc.asyncProperty(compared.files.file, differsNowhere), {
      numRuns: FILES,
      ...(SEED !== undefined && { seed: Number(SEED) }),
    })
    process.stdout.write(
      `random files beside ${engine.name}: ${JSON.stringify({ ...figures, users: USERS })}\n`,
    )
    expect(figures.exact).toBeGreaterThan(FILES / 4)
  })

  test.each(readdirSync(new URL(`${samples}/`, SAMPLES)))('the sample %s', async (name) => {
    const content = readFileSync(new URL(`${samples}/${name}`, SAMPLES), 'utf8')
    const { flags } = await compareFiles([parseFile({ name, content })], null)
    expect(flags.length).toBeGreaterThan(0)
    expect(wrong(flags)).toEqual([])
  })

  const cases = readdirSync(new URL('field/', SAMPLES)).filter(
    (name) => named.length === 0 && name.startsWith(`${system}-`),
  )
  test.each(cases)('the right values of the case %s are those of the engine', async (name) => {
    const folder = new URL(`field/${name}/`, SAMPLES)
    const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
    const tried = JSON.parse(read('case.json')) as Case
    const files = tried.import.files.map((file) => parseFile({ name: file, content: read(file) }))
    const started = await kind.start({
      files,
      environment: '',
      wanted: undefined,
      load: () => Promise.reject(),
    })
    for (const { attributes, key, right } of tried.users ?? []) {
      const { theirs } = await started.ask(tried.flag ?? '', { key, attributes }, { value: null } as never)
      expect([key, attributes, theirs]).toEqual([key, attributes, right])
    }
  })
})

interface Case {
  readonly import: { readonly files: readonly string[] }
  readonly flag?: string
  readonly users?: readonly {
    readonly key: string
    readonly attributes: Record<string, string>
    readonly right: unknown
  }[]
}
