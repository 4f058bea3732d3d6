import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { growthPercent } from '../../../src/platform/limit-heap-growth.ts'

const MIB = 1024 * 1024

describe('the growth of the heap', () => {
  it('is left to V8 in a small heap, and has at most about 64 MB of garbage in a large one', () => {
    expect(growthPercent(20 * MIB)).toBe(0)
    expect(growthPercent(100 * MIB)).toBe(60)
    expect(growthPercent(240 * MIB)).toBe(30)
    expect(growthPercent(3_000 * MIB)).toBe(20)
  })

  it('is an option that this version of Node has', () => {
    expect(execFileSync(process.execPath, ['--v8-options']).toString()).toContain('--heap-growing-percent')
  })
})
