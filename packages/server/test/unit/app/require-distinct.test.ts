import { describe, expect, it } from 'vitest'
import { requireDistinct } from '../../../src/app/require-distinct.ts'

const domain = (name: string) => ({
  handlers: { [`${name}Handler`]: 1 },
  lookups: { [`${name}_kind`]: 1 },
  texts: { [`/api/${name}`]: 1 },
})

describe('the domains that are merged', () => {
  it('differ in all names', () => {
    expect(() => requireDistinct([domain('flags'), domain('segments')])).not.toThrow()
  })

  it.each(['handlers', 'lookups', 'texts'] as const)('cannot have the same name among their %s', (what) => {
    const [flags, segments] = [domain('flags'), domain('segments')]
    const [name] = Object.keys(flags[what])
    expect(() => requireDistinct([flags, { ...segments, [what]: flags[what] }])).toThrow(
      `two domains have ${name} among their ${what}`,
    )
  })
})
