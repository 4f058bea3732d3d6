import { expect, test } from 'vitest'
import { readShortcut, SEQUENCE_MS } from '../../../src/app/commands/shortcut.ts'

test('`?` lists the shortcuts, `/` searches, `e` switches the environment, `c` creates a flag', () => {
  expect(readShortcut(null, '?', 0).shortcut).toEqual({ kind: 'list' })
  expect(readShortcut(null, '/', 0).shortcut).toEqual({ kind: 'search' })
  expect(readShortcut(null, 'c', 0).shortcut).toEqual({ kind: 'create' })
  expect(readShortcut(null, 'e', 0).shortcut).toEqual({ kind: 'environment' })
})

test('`g` and a letter goes to a page', () => {
  const { prefix, shortcut } = readShortcut(null, 'g', 100)
  expect(shortcut).toBeNull()
  expect(readShortcut(prefix, 's', 600)).toEqual({ shortcut: { kind: 'go', key: 's' }, prefix: null })
})

test('a `g` is forgotten after a while', () => {
  const { prefix } = readShortcut(null, 'g', 0)
  expect(readShortcut(prefix, 'e', SEQUENCE_MS + 1).shortcut).toEqual({ kind: 'environment' })
})

test('keys without a shortcut do nothing', () => {
  expect(readShortcut(null, 'constructor', 0).shortcut).toBeNull()
  expect(readShortcut(null, 'z', 0)).toEqual({ shortcut: null, prefix: null })
})
