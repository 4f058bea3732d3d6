import { expect, test } from 'vitest'
import { checkKeyKinds } from '../../src/doctor/check-keys.ts'

test.each([
  [1, '1 stream'],
  [2, '2 streams'],
])('a server key with %i open streams is named', (streams, words) => {
  const key = {
    ...{ id: 1, name: 'shop', prefix: 'sk_live_abcd…', kind: 'server' as const, parent_id: null },
    ...{ environment_id: 'e', environment_name: 'Production', created_at: '', last_used_at: null, streams },
  }
  expect(checkKeyKinds([key])).toMatchObject({
    level: 'warning',
    text: expect.stringContaining(`shop (sk_live_abcd…, ${words})`),
  })
})
