import { describe, expect, test } from 'vitest'
import { recallPresets, storePresets, withPreset } from '../../../src/features/evaluate/presets.ts'
import {
  type AttributeRow,
  parseAttributes,
  readRows,
  toRows,
} from '../../../src/features/evaluate/subject.ts'

const row = (stated: Partial<AttributeRow>): AttributeRow => ({
  id: 1,
  name: 'plan',
  type: 'text',
  text: '',
  items: [],
  ...stated,
})

describe('attributes in rows', () => {
  test('keep their types: text, number, true or false, list', () => {
    const attributes = { plan: 'pro', age: 42.5, beta: false, groups: ['a', 'b'] }
    expect(readRows(toRows(attributes) ?? []).attributes).toEqual(attributes)
  })

  test('state what is wrong, and leave that out', () => {
    const rows = [
      row({ id: 1, name: 'age', type: 'number', text: 'old' }),
      row({ id: 2, name: 'plan', text: 'pro' }),
      row({ id: 3, name: 'plan', text: 'free' }),
      row({ id: 4, name: '' }),
    ]
    const { attributes, problems } = readRows(rows)
    expect(attributes).toEqual({ plan: 'pro' })
    expect(Object.keys(problems)).toEqual(['1', '3'])
  })

  test('hold names that mean something to the language as any other', () => {
    const { attributes } = readRows([row({ name: '__proto__', text: 'x' })])
    expect(Object.keys(attributes)).toEqual(['__proto__'])
  })

  test('are JSON only where one fits in no row', () => {
    expect(toRows({ nested: [['a']] })).toBeNull()
  })
})

test('JSON text gives attributes, or why it does not', () => {
  expect(parseAttributes('')).toEqual({ attributes: {} })
  expect(parseAttributes('{"a": 1}')).toEqual({ attributes: { a: 1 } })
  expect(parseAttributes('[1]')).toHaveProperty('problem')
  expect(parseAttributes('{"a":')).toHaveProperty('problem')
})

const ME = 'ada@example.com'

test('presets survive storage; what someone else wrote there is left out', () => {
  let stored: string | null = null
  const storage = {
    getItem: () => stored,
    setItem: (_: string, text: string) => {
      stored = text
    },
  }
  const ada = { name: 'Ada', user_key: 'ada', attributes: { plan: 'pro' } }

  storePresets(storage, ME, withPreset(withPreset([], ada), { ...ada, user_key: null }))

  expect(recallPresets(storage, ME)).toEqual([{ ...ada, user_key: null }])
  expect(recallPresets(storage, 'grace@example.com')).toEqual([])
  const unreadable = [
    '{}',
    'no JSON',
    '[]',
    'null',
    `{"owner": "${ME}"}`,
    `{"owner": "${ME}", "presets": [1, {}]}`,
  ]
  for (const text of unreadable) {
    stored = text
    expect(recallPresets(storage, ME)).toEqual([])
  }
})
