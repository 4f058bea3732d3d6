import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { listFaultNames, loadFault } from '../../../../e2e/faults/list-faults.ts'
import { addReports, readFaultPage, renderFaultPage } from '../../../../scripts/fault-page.mjs'

const PAGE = new URL('../../../../docs/faults.md', import.meta.url)
const HOW = 'run `npm run faults -- --page`'

describe('the page of faults', () => {
  test('the fault page has every row of the suite once, with its title and its promise', async () => {
    const rows = await Promise.all(
      listFaultNames().map(async (name) => {
        const { group, promise, title } = await loadFault(name)
        return { name, group, title, promise }
      }),
    )
    const page = readFaultPage(readFileSync(PAGE, 'utf8'))
    const listed = page.rows
      .map(({ group, name, promise, title }) => ({ name, group, title, promise }))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
    expect(listed, HOW).toEqual(rows)
  })

  const ROW = { name: 'kills', group: 'crashes', title: 'A kill | or two', promise: 'It goes on.' }

  test('the fault page keeps the figures of rows that were not run', () => {
    const reports = [{ ...ROW, times: '3 kills', seen: '0 lost', broken: [] }]
    const first = addReports({ machine: '', rows: [] }, [ROW], reports, '2025-01-31')
    const page = readFaultPage(renderFaultPage({ machine: 'a machine', rows: first }))
    expect(page).toEqual({ machine: 'a machine', rows: first })
    expect(addReports(page, [ROW], [], '2025-02-01')).toEqual(first)
  })

  test('the fault page states which promise was broken, and what has not been run', () => {
    const reports = [{ ...ROW, times: '3 kills', seen: '1 lost', broken: ['A write was lost.'] }]
    const rows = addReports({ machine: '', rows: [] }, [ROW, { ...ROW, name: 'new' }], reports, '2025-01-31')
    const text = renderFaultPage({ machine: '', rows })
    expect(text).toContain('| 3 kills (2025-01-31) | 1 lost; **broken:** A write was lost. |')
    expect(text).toContain('| `new` | A kill \\| or two | It goes on. | not run yet |')
  })

  test('the fault page states why a row was skipped, and keeps its earlier figures', () => {
    const skipped = [{ ...ROW, times: '', seen: '', broken: [], skipped: 'no Redis' }]
    const [fresh] = addReports({ machine: '', rows: [] }, [ROW], skipped, '2025-01-31')
    expect(fresh).toMatchObject({ times: '', seen: 'not possible here: no Redis' })
    const known = { ...ROW, times: '3 kills', seen: '0 lost', date: '2025-01-30' }
    expect(addReports({ machine: '', rows: [known] }, [ROW], skipped, '2025-01-31')).toEqual([known])
  })
})
