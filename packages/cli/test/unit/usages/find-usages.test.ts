import { describe, expect, test } from 'vitest'
import { findUsages } from '../../../src/usages/find-usages.ts'
import { createKeyTrie } from '../../../src/usages/key-trie.ts'

const KEYS = ['new-checkout', 'new', 'theme', 'a']
const find = (text: string | Uint8Array) =>
  findUsages(typeof text === 'string' ? new TextEncoder().encode(text) : text, KEYS, createKeyTrie(KEYS))

const keysOf = (text: string) => find(text).known.map(({ flag_key, line }) => `${line}:${flag_key}`)
const unknownOf = (text: string) => find(text).unknown.map(({ flag_key, line }) => `${line}:${flag_key}`)

describe('usages of flags', () => {
  test('are whole string literals of any kind of quote, with their lines', () => {
    expect(keysOf(`x('new-checkout')\ny("theme", \`new\`)\n\n['a','new']`)).toEqual([
      '1:new-checkout',
      '2:theme',
      '2:new',
      '4:a',
      '4:new',
    ])
    expect(keysOf(`'new-checkouts' 'xnew' "theme' new-checkout 'new checkout' ''`)).toEqual([])
    expect(find(`  if (on('theme')) go()  `).known).toEqual([
      { flag_key: 'theme', line: 1, text: "if (on('theme')) go()" },
    ])
  })

  test('are unknown where a call of an SDK names a key without a flag', () => {
    expect(unknownOf(`client.isEnabled('new-chekout', user); log('hello')`)).toEqual(['1:new-chekout'])
    expect(unknownOf(`getVariant<Theme>(\n  "them"\n)`)).toEqual(['2:them'])
    expect(unknownOf(`client.get_boolean_value("x1", False)\nclient.BooleanValue(ctx, "x2")`)).toEqual([
      '1:x1',
    ])
    expect(unknownOf(`isEnabled(key); other.evaluate('b')`)).toEqual([])
  })

  test('survive hostile files', () => {
    expect(find(new Uint8Array([0x27, 0xff, 0xfe, 0x27]))).toEqual({ known: [], unknown: [] })
    expect(keysOf(`${"'".repeat(100_000)}`)).toEqual([])
    expect(keysOf(`${'('.repeat(100_000)}'theme'`)).toEqual(['1:theme'])
    const [found] = find(`'theme'${'x'.repeat(1_000_000)}`).known
    expect(found?.text).toHaveLength(200)
    const many = find(`'theme',`.repeat(50_000)).known
    expect(many).toHaveLength(50_000)
  })
})
