import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cacheFolder, resolveCommit } from '../../../../../bench/compare/build-commit.mjs'
import { compareBuilds } from '../../../../../bench/compare/compare.mjs'
import { compareSamples, comparisonTable } from '../../../../../bench/compare/ratios.mjs'

interface Context {
  readonly build: 'older' | 'newer'
  progress(what: string): void
}

const progress = () => undefined
const older: Context = { build: 'older', progress }
const newer: Context = { build: 'newer', progress }

const figure = (value: number) => ({ value, unit: 'ms' })

/** A bench whose figures are those of a list, and that writes down in which order it was measured. */
function createBench(figures: Record<Context['build'], readonly number[]>, order: string[] = []) {
  const next = { older: 0, newer: 0 }
  const measure = async (build: Context['build']) => {
    order.push(build)
    const value = figures[build][next[build]++]
    if (value === undefined) throw new Error('the older build lacks it')
    return [figure(value), figure(1)]
  }
  return {
    sections: () => [
      {
        columns: ['What', 'time', 'size'],
        compared: ['time'],
        open: async ({ build }: Context) => ({
          rows: [{ name: 'a row', measure: () => measure(build) }],
          close: async () => order.push(`close ${build}`),
        }),
      },
    ],
  }
}

const compare = (bench: Parameters<typeof compareBuilds<Context>>[0]['benches'][0][1], rounds = 3) =>
  compareBuilds({ benches: [['bench', bench]], older, newer, rounds, windowMs: 1 })

describe('ratios of two builds', () => {
  test('the ratio is the median of those of the rounds, with the least and the most', () => {
    const compared = compareSamples({ older: [10, 20, 40], newer: [20, 20, 20] })
    expect(compared).toEqual({ older: 20, newer: 20, ratio: 1, least: 0.5, most: 2 })
  })

  test('where the least figure counts, the ratio is that of the least figures', () => {
    const compared = compareSamples({ older: [100, 50, 80], newer: [60, 90, 40], isLeast: true })
    expect(compared).toMatchObject({ older: 50, newer: 40, ratio: 0.8, least: 0.5, most: 1.8 })
  })

  test('figures without an older one, of 0 or below have no ratio', () => {
    expect(compareSamples({ older: [], newer: [3] })).toMatchObject({ older: null, newer: 3, ratio: null })
    expect(compareSamples({ older: [0, -2], newer: [3, 3] })).toMatchObject({ older: -2, ratio: null })
  })

  test('the table has a dash for what the older build lacks', () => {
    const row = { what: 'a row', unit: 'ms', rounds: 3 }
    const table = comparisonTable('753c8666', [
      { ...row, ...compareSamples({ older: [2, 2, 2], newer: [1, 2, 3] }) },
      { ...row, ...compareSamples({ older: [], newer: [1_234, 1_234] }) },
    ])
    expect(table.split('\n').slice(2)).toEqual([
      '| a row | 2 ms | 2 ms | 1.00 | 0.50 to 1.50 | 3 |',
      '| a row | - | 1,234 ms | - | - | 3 |',
    ])
  })
})

describe('a comparison of two builds', () => {
  test('builds take turns, in the other order in every second round, and end with their section', async () => {
    const order: string[] = []
    const { leftOut, results } = await compare(createBench({ older: [1, 1, 1], newer: [2, 3, 4] }, order))
    expect(order).toEqual([
      ...['older', 'newer', 'newer', 'older', 'older', 'newer'],
      ...['close older', 'close newer'],
    ])
    expect(results).toEqual([
      {
        ...{ what: 'bench: a row, time', unit: 'ms', rounds: 3 },
        ...{ older: 1, newer: 3, ratio: 3, least: 2, most: 4 },
      },
    ])
    expect(leftOut).toEqual([])
  })

  test('an older build that cannot go on has no figures, and the newer one is measured on', async () => {
    const { results } = await compare(createBench({ older: [1], newer: [2, 3, 4] }))
    expect(results).toMatchObject([{ older: null, newer: 3, ratio: null, rounds: 3 }])
  })

  test('a newer build that fails ends the comparison, and what was opened is closed', async () => {
    const order: string[] = []
    await expect(compare(createBench({ older: [1], newer: [] }, order))).rejects.toThrow('lacks it')
    expect(order.slice(-2)).toEqual(['close older', 'close newer'])
  })

  test('a bench without sections is run as a whole, and all its figures are compared', async () => {
    const run = async ({ build }: Context) => [
      {
        columns: ['What', 'time', 'text'],
        rows:
          build === 'older'
            ? [['a', figure(2), 'x']]
            : [
                ['a', figure(4), 'x'],
                ['new', figure(5), ''],
              ],
      },
    ]
    const { results } = await compare({ run }, 1)
    expect(results).toMatchObject([
      { what: 'bench: a, time', older: 2, newer: 4, ratio: 2 },
      { what: 'bench: new, time', older: null, newer: 5, ratio: null },
    ])
  })
})

describe('the build of a commit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-history-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

  afterAll(() => rmSync(folder, { recursive: true }))

  test('a folder without history is refused in one line, and also one inside of another history', () => {
    expect(() => resolveCommit('HEAD', folder)).toThrow(/^There is no history here: .*$/)
    git('init', '--quiet')
    mkdirSync(join(folder, 'unpacked'))
    expect(() => resolveCommit('HEAD', join(folder, 'unpacked'))).toThrow(/^There is no history here: .*$/)
  })

  test('a build is kept by the whole name of its commit, however it was named', () => {
    git('init', '--quiet')
    git(
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      'commit',
      '--allow-empty',
      '--quiet',
      '-m',
      'first',
    )
    const head = git('rev-parse', 'HEAD')
    expect(resolveCommit('HEAD', folder)).toBe(head)
    expect(resolveCommit(head.slice(0, 12), folder)).toBe(head)
    expect(() => resolveCommit('HEAD~1', folder)).toThrow('The history here has no commit HEAD~1.')
    expect(() => resolveCommit('--all', folder)).toThrow('The history here has no commit --all.')
    expect(cacheFolder(head, '/checkout')).toBe(`/checkout/node_modules/.cache/bench/${head}`)
  })
})
