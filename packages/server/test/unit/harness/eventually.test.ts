import { expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'

it.each([
  ['false', () => false, /last result was false$/],
  ['nothing', () => undefined, /last result was undefined$/],
  ['an error', () => Promise.reject(new Error('expected 3 to be 4')), /last result was expected 3 to be 4$/],
])('waiting in vain says what the last result was: %s', async (_what, look, message) => {
  await expect(eventually<unknown>(look, 30)).rejects.toThrow(message)
})
