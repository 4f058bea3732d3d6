import { describe, expect, it } from 'vitest'
import { readFrame } from '../../src/stream/read-frame.ts'

function read(name: string, text: string): [string, unknown][] {
  const dispatched: [string, unknown][] = []
  readFrame(name, text, (event, payload) => dispatched.push([event, payload]))
  return dispatched
}

describe('readFrame', () => {
  it.each([
    ['connected', '{"environment_id":"e1"}', ['connected', 'e1']],
    ['connected', '{"environment_id":null}', ['connected', null]],
    ['connected', 'null', ['connected', null]],
    ['ready', '12', ['ready', 12]],
    ['ready', '', ['ready', Number.NaN]],
    [
      'update',
      '{"type":"UPSERT","env_id":"e1","flag":{"key":"a"}}',
      ['update', { type: 'UPSERT', key: 'a', flag: { key: 'a' } }],
    ],
    ['update', '{"type":"DELETE","env_id":"e1","key":"a"}', ['update', { type: 'DELETE', key: 'a' }]],
  ])('readFrame handles %s %s', (name, text, expected) => {
    expect(read(name, text)).toEqual([expected])
  })

  it.each([
    ['message', 'anything'],
    ['', '{'],
    ['later', '{'],
    ['update', '{"type":"RENAME","from":"a"}'],
    ['update', '{}'],
  ])('readFrame ignores %s %s', (name, text) => {
    expect(read(name, text)).toEqual([])
  })

  it.each([
    ['connected', '{"environment_id'],
    ['update', ''],
    ['update', 'null'],
    ['update', '{"type":"UPSERT"}'],
    ['update', '{"type":"UPSERT","flag":null}'],
    ['update', '{"type":"UPSERT","flag":{"key":7}}'],
    ['update', '{"type":"DELETE"}'],
  ])('readFrame throws for a malformed %s %s', (name, text) => {
    expect(() => read(name, text)).toThrow()
  })
})
