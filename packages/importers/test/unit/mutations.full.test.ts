import { expect, test } from 'vitest'
import { UnreadableFile } from '../../src/index.ts'
import { compile, importData } from './harness.ts'
import { mutate, numbersFrom, SAMPLES, sample } from './mutations.ts'

/** The mutations of each file; `npm run full -- mutations` makes 10,000. */
const MUTATIONS = process.env.BURGEE_FULL ? 10_000 : 250

test.each(SAMPLES)('%s reads mutations of %s, or says why not', { timeout: 1_200_000 }, (system, path) => {
  const content = sample(path)
  const random = numbersFrom(11)
  let read = 0
  for (let index = 0; index < MUTATIONS; index++) {
    try {
      const imported = importData(system, [mutate(content, random)])
      for (const [environment] of imported.environments.entries()) compile(imported, environment)
      read += 1
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableFile)
    }
  }
  expect(read).toBeGreaterThan(0)
})
