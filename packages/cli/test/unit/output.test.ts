import { expect, test } from 'vitest'
import { printable } from '../../src/output/output.ts'
import { table } from '../../src/output/table.ts'

test('texts of a server or file cannot move the cursor of the terminal, nor turn its direction', () => {
  expect(printable('a\u001b[2Jb\u202ec\u009b\r')).toBe('a\\u001b[2Jb\\u202ec\\u009b\\u000d')
  expect(printable('line\n\tnext, é, 日本')).toBe('line\n\tnext, é, 日本')
})

test('a cell stays on its line', () => {
  expect(
    table(
      ['A', 'B'],
      [
        ['one\ntwo', 'x'],
        ['1', 'y'],
      ],
      {},
    ),
  ).toBe('A        B\none two  x\n1        y\n')
})

const rows = [
  ['theme', JSON.stringify('x'.repeat(3_000)), 'TARGETING_MATCH'],
  ['checkout', 'true', 'DEFAULT'],
]

test.each([80, 40])('long cells are cut so that the rows fit on a terminal of %i columns', (columns) => {
  const lines = table(['FLAG', 'VALUE', 'REASON'], rows, { isTTY: true, columns }).trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
  expect(lines[1]).toMatch(/^theme {5}"x+… {2}TARGETING/)
  expect(lines[2]).toMatch(/^checkout {2}true +DEFAULT$/)
})

test('a cell has at most 120 characters without a terminal; names are never cut', () => {
  const name = 'k'.repeat(200)
  const text = table(['FLAG', 'VALUE', 'REASON'], [...rows, [name, '1', 'STATIC']], { isTTY: false })
  expect(text).toContain(`${name}  1 `)
  expect(text.split('\n')[1]?.length).toBe(200 + 2 + 120 + 2 + 'TARGETING_MATCH'.length)
  expect(table(['FLAG', 'VALUE'], [[name, 'x'.repeat(90)]], { isTTY: true, columns: 60 })).toContain(name)
})
