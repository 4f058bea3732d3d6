import { describe, expect, it } from 'vitest'
import { boundOutbound, connectionBudget } from '../../../../src/http/sockets/connection-budget.ts'
import { readOpenFilesLimit } from '../../../../src/platform/metrics/open-files-limit.ts'

const budgetOf = (openFiles: number | null, configured: number | null = null) =>
  connectionBudget({
    openFiles,
    configured,
    databaseConnections: 10,
    outboundConnections: boundOutbound(openFiles, 1_500),
  })

describe('the limit of connections', () => {
  it('the limit of connections is below the open files that the operating system allows, with a reserve', () => {
    expect(budgetOf(1_024)).toEqual({ ordinary: 598, total: 630 })
    expect(budgetOf(65_536)).toEqual({ ordinary: 63_866, total: 63_898 })
  })

  it('the limit of connections is 100,000 without other bounds', () => {
    expect(budgetOf(1_048_576)).toEqual({ ordinary: 99_968, total: 100_000 })
    expect(budgetOf(null)).toEqual({ ordinary: 99_968, total: 100_000 })
  })

  it('the limit of connections is MAX_CONNECTIONS, and at most what the open files allow', () => {
    expect(budgetOf(1_048_576, 200_000)).toEqual({ ordinary: 200_000, total: 200_032 })
    expect(budgetOf(1_024, 100)).toEqual({ ordinary: 100, total: 132 })
    expect(budgetOf(1_024, 5_000)).toEqual({ ordinary: 598, total: 630 })
  })

  it('the limit of connections shares very few open files', () => {
    expect(budgetOf(64)).toEqual({ ordinary: 24, total: 32 })
    expect(budgetOf(null, 10)).toEqual({ ordinary: 10, total: 42 })
  })

  it('the limit of connections leaves a quarter of the open files for outgoing ones, or as many as are wanted', () => {
    expect([null, 64, 1_024, 65_536].map((openFiles) => boundOutbound(openFiles, 1_500))).toEqual([
      1_500, 16, 256, 1_500,
    ])
  })

  it("the limit of connections uses the operating system's limit of this process", () => {
    expect(readOpenFilesLimit()).toBeGreaterThan(0)
  })
})
