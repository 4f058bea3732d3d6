import { execFileSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { writeRequestSnippet } from '../../../src/features/evaluate/request-snippet.ts'

test('a request is one curl line, whose texts a shell leaves as they are', () => {
  vi.stubGlobal('location', { origin: 'https://flags.example.com' })
  const subject = { user_key: "o'neil", attributes: { note: '$(touch /tmp/x) `id` "a" \\ é' } }
  const line = writeRequestSnippet(subject, 'env-1', { key: 'flag' })
  expect(line).toMatch(/^curl https:\/\/flags\.example\.com\/api\/environments\/env-1\/evaluate /)
  const printed = execFileSync('sh', ['-c', `curl() { for last; do :; done; printf %s "$last"; }; ${line}`], {
    env: { BURGEE_TOKEN: 'pat_x' },
  })
  expect(JSON.parse(String(printed))).toEqual({ ...subject, flag_keys: ['flag'] })
})
