import { expect, it } from 'vitest'
import { createAnalyses } from '../../../../src/platform/concurrency/analyses.ts'

it('analyses of a caller who sends many wait for each other, and another caller for none of them', async () => {
  const analyses = createAnalyses()
  const endings: (() => void)[] = []
  const started: string[] = []
  const run = (caller: string) =>
    analyses.run(caller, () => {
      started.push(caller)
      return new Promise<string>((resolve) => endings.push(() => resolve(caller)))
    })
  const many = Array.from({ length: 40 }, () => run('many').catch((error: unknown) => error))
  expect(started).toEqual(['many'])
  const honest = run('honest')
  expect(started).toEqual(['many', 'honest'])
  for (let ended = 0; ended < endings.length; ended += 1) {
    endings[ended]?.()
    await new Promise(setImmediate)
  }
  expect(await honest).toBe('honest')
  const refused = (await Promise.all(many)).filter((result) => result !== 'many')
  expect(refused).toHaveLength(7)
  expect(refused[0]).toMatchObject({ kind: 'unavailable', extras: { retry_after_seconds: 5 } })
})
