import { describe, expect, it } from 'vitest'
import { boundOutbound, connectionBudget } from '../../../../src/http/connections/connection-budget.ts'
import { readOpenFilesLimit } from '../../../../src/platform/open-files-limit.ts'

const budgetOf = (openFiles: number | null, configured: number | null = null) =>
  connectionBudget({
    openFiles,
    configured,
    databaseConnections: 10,
    outboundConnections: boundOutbound(openFiles, 1_500),
  })

describe('the number of connections', () => {
  it('stays below the open files that the operating system allows, with a reserve', () => {
    expect(budgetOf(1_024)).toEqual({ ordinary: 598, total: 630 })
    expect(budgetOf(65_536)).toEqual({ ordinary: 63_866, total: 63_898 })
  })

  it('is at most 100,000 where nothing else is said', () => {
    expect(budgetOf(1_048_576)).toEqual({ ordinary: 99_968, total: 100_000 })
    expect(budgetOf(null)).toEqual({ ordinary: 99_968, total: 100_000 })
  })

  it('is MAX_CONNECTIONS, and never more than the open files allow', () => {
    expect(budgetOf(1_048_576, 200_000)).toEqual({ ordinary: 200_000, total: 200_032 })
    expect(budgetOf(1_024, 100)).toEqual({ ordinary: 100, total: 132 })
    expect(budgetOf(1_024, 5_000)).toEqual({ ordinary: 598, total: 630 })
  })

  it('leaves room for both where there are hardly any', () => {
    expect(budgetOf(64)).toEqual({ ordinary: 24, total: 32 })
    expect(budgetOf(null, 10)).toEqual({ ordinary: 10, total: 42 })
  })

  it('leaves room for outbound connections: a quarter of the open files, or as many as are wanted', () => {
    expect([null, 64, 1_024, 65_536].map((openFiles) => boundOutbound(openFiles, 1_500))).toEqual([
      1_500, 16, 256, 1_500,
    ])
  })

  it('is what the operating system says of this process', () => {
    expect(readOpenFilesLimit()).toBeGreaterThan(0)
  })
})
