import { PROBLEMS_MAX } from '@burgee/contract'
import { expect, test } from 'vitest'
import { findUnknown } from '../../../../src/governance/apply/find-unknown.ts'

/** More than a call takes arguments; a body may have as many. */
const MANY = 150_000

test('as many unknown fields as a body may have are found in flags and segments that do not change', async () => {
  const fields = Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`f${at}`, 0]))
  const listed = [
    { path: '/flags/0', found: await findUnknown({ flags: [{ key: 'same', ...fields }] }, []) },
    { path: '/segments/0', found: await findUnknown({ segments: [{ key: 'same', ...fields }] }, []) },
  ]
  for (const { found, path } of listed) {
    expect(found).toHaveLength(MANY)
    expect(found.filter((warning) => warning.path.startsWith(`${path}/`))).toHaveLength(PROBLEMS_MAX)
  }
})
