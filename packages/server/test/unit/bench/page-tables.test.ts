import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { describeTables, refuseWriting, replaceTables } from '../../../../../bench/tables/page-tables.mjs'

const PAGE = `# Performance

<!-- table writes 1 -->

| old |

<!-- /table -->

A sentence between.

<!-- table start 1 -->

| first |

<!-- /table -->
<!-- table start 2 -->

| second |

<!-- /table -->
`
const SOURCE = 'Commit `01234567`.'

describe('the tables of the page of performance', () => {
  test('a table is replaced between its markers, with its source, and nothing else is', () => {
    const page = replaceTables(PAGE, { name: 'writes', tables: ['| new |'], source: SOURCE })
    expect(page).toBe(PAGE.replace('| old |', `| new |\n\n${SOURCE}`))
    const again = replaceTables(page, { name: 'writes', tables: ['| old |'], source: SOURCE })
    expect(again).toBe(PAGE.replace('| old |', `| old |\n\n${SOURCE}`))
  })

  test('tables of a bench go to their own markers', () => {
    const page = replaceTables(PAGE, { name: 'start', tables: ['| one |', '| two |'], source: SOURCE })
    expect(page).toContain('| old |')
    expect(page.indexOf('| one |')).toBeGreaterThan(page.indexOf('start 1'))
    expect(page.indexOf('| two |')).toBeGreaterThan(page.indexOf('start 2'))
    expect(page).not.toContain('| first |')
    expect(page).not.toContain('| second |')
  })

  test('a table of the bench that the page does not have is left out', () => {
    const page = PAGE.replace('start 1', 'start 3')
    const written = replaceTables(page, {
      name: 'start',
      tables: ['| 1 |', '| 2 |', '| 3 |'],
      source: SOURCE,
    })
    expect(written).not.toContain('| 1 |')
    expect(written.indexOf('| 3 |')).toBeLessThan(written.indexOf('| 2 |'))
  })

  test('markers that are missing, that nothing fills or that have no end are refused', () => {
    const of = (page: string, tables: string[], name = 'start') =>
      replaceTables(page, { name, tables, source: SOURCE })
    expect(() => of(PAGE, ['| one |'])).toThrow('has tables 1, 2 of start, the bench 1.')
    expect(() => of(PAGE, ['| one |'], 'ingest')).toThrow('has tables none of ingest, the bench 1.')
    expect(() => of(PAGE.replaceAll('<!-- /table -->', ''), ['| 1 |', '| 2 |'])).toThrow(
      'lacks <!-- /table -->',
    )
    const joined = PAGE.replace('<!-- /table -->\n<!-- table start 2', '<!-- table start 2')
    expect(() => of(joined, ['| 1 |', '| 2 |'])).toThrow('after <!-- table start 1 -->')
  })

  test('nothing is measured for the page on a busy machine or without a place', () => {
    expect(refuseWriting(PAGE, ['writes', 'start'], 1)).toBeNull()
    expect(refuseWriting(PAGE, ['writes'], 1.01)).toContain('The load average is 1.0')
    expect(refuseWriting(PAGE, ['writes', 'ingest', 'streams'], 0)).toBe(
      'docs/performance.md has no table of ingest, streams.',
    )
  })

  test('the source names commit, day and the speed of the machine', () => {
    const source = describeTables({
      ...{ commit: '0123456789abcdef', day: '2026-11-27', statements: 1_349.6, hashNs: 38.26 },
    })
    expect(source).toBe(
      'Commit `01234567`, 2026-11-27: 1,350 bare transactions a second, 38.3 ns a hash loop.',
    )
  })

  test('the page marks whole tables, each once', () => {
    const page = readFileSync(new URL('../../../../../docs/performance.md', import.meta.url), 'utf8')
    const marks = [...page.matchAll(/<!-- table ([\w-]+) (\d+) -->([\s\S]*?)<!-- \/table -->/g)]
    expect(marks.length).toBeGreaterThan(10)
    expect(marks).toHaveLength(page.split('<!-- /table -->').length - 1)
    const names = marks.map(([, name, nth]) => `${name} ${nth}`)
    expect(new Set(names).size).toBe(names.length)
    for (const [, name, , content = ''] of marks) expect(content.match(/^\| ?-+/gm), name).toHaveLength(1)
  })
})
