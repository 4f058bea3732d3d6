import { describe, expect, it } from 'vitest'
import { readFrame } from '../../src/stream/read-frame.ts'

function read(name: string, text: string): [string, unknown][] {
  const dispatched: [string, unknown][] = []
  readFrame(name, text, (event, payload) => dispatched.push([event, payload]))
  return dispatched
}

describe('what an event of the stream means', () => {
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
  ])('%s %s', (name, text, expected) => {
    expect(read(name, text)).toEqual([expected])
  })

  it.each([
    ['message', 'anything'],
    ['', '{'],
    ['later', '{'],
    ['update', '{"type":"RENAME","from":"a"}'],
    ['update', '{}'],
  ])('ignores %s %s', (name, text) => {
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
  ])('throws for a garbled %s %s', (name, text) => {
    expect(() => read(name, text)).toThrow()
  })
})
