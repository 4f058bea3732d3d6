import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { compareBuilds } from '../bench/compare/compare.mjs'

const PROGRAM = fileURLToPath(new URL('./programs/compare-with-itself.mjs', import.meta.url))

type Comparison = Awaited<ReturnType<typeof compareBuilds>>

test('a build is compared with itself by its own servers: every row has both figures and a ratio', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM])
  const { leftOut, results }: Comparison = JSON.parse(stdout)
  expect(leftOut).toEqual([])
  expect(results.map(({ what }) => what)).toEqual(
    ['plain', 'gzip', '304'].map((answer) => `snapshot: 100, ${answer}, requests a second`),
  )
  for (const { newer, older, ratio, what } of results) {
    expect(newer, what).toBeGreaterThan(0)
    expect(older, what).toBeGreaterThan(0)
    expect(ratio, what).toBe(newer / Number(older))
  }
})
