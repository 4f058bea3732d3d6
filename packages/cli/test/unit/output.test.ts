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
    ),
  ).toBe('A        B\none two  x\n1        y\n')
})
