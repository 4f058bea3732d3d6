import { describe, expect, it } from 'vitest'
import { parseAccounts } from '../../src/postgres-account.ts'

describe('the accounts of /etc/passwd', () => {
  it('are read by name, and lines that do not fit are left out', () => {
    const text = 'root:x:0:0:root:/root:/bin/sh\n# comment\nnobody:*:-2:-2::/:/bin/false\nbroken:x\n\n'
    expect(parseAccounts(text)).toEqual([
      { name: 'root', uid: 0, gid: 0 },
      { name: 'nobody', uid: -2, gid: -2 },
    ])
  })
})
