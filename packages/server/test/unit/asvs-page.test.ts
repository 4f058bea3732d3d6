import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const PAGE = new URL('../../../../docs/asvs.md', import.meta.url)
const page = readFileSync(PAGE, 'utf8')

/** The requirements of the page: number, level, title, state, place and reason. */
const rows = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ \| \d /.test(line))
  .map((line) => line.replace(/^\| | \|$/g, '').split(' | '))

const placeOf = (number: string | undefined): number =>
  (number ?? '').split('.').reduce((place, part) => place * 100 + Number(part), 0)

it('docs/asvs.md has a level, a title, a state, a place and a reason for each requirement', () => {
  expect(rows.length).toBeGreaterThan(150)
  for (const row of rows) {
    const [number, level, title = '', state, where, reason = ''] = row
    expect(row, number).toHaveLength(6)
    expect(['1', '2'], number).toContain(level)
    expect(['met', 'partly', 'operator', 'not met'], number).toContain(state)
    expect(title.length, number).toBeGreaterThan(5)
    expect(reason, number).toMatch(/^\S.{5,}\.$/)
    expect(where, number).toMatch(/^\[.+\]\(.+\)$/)
  }
})

it('docs/asvs.md names each requirement once and in order', () => {
  const places = rows.map(([number]) => placeOf(number))
  expect(places).toEqual([...new Set(places)].sort((one, other) => one - other))
})

it('every place that docs/asvs.md names exists', () => {
  const missing = rows
    .map(([, , , , where = '']) => /\]\(([^)]+)\)/.exec(where)?.[1] ?? '')
    .filter((link) => !existsSync(new URL(link, PAGE)))
  expect(missing).toEqual([])
})

it('docs/asvs.md counts its states', () => {
  const count = (state: string) => rows.filter((row) => row[3] === state).length
  expect(page.replaceAll(/\s+/g, ' ')).toContain(
    `Of ${rows.length} requirements ${count('met')} are met, ${count('partly')} partly, ${count('operator')} up to the operator and ${count('not met')} not met.`,
  )
})
