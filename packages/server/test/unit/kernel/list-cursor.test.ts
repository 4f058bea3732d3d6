import { describe, expect, it } from 'vitest'
import { readCursor, toCursor } from '../../../src/kernel/list-cursor.ts'
import { Refusal } from '../../../src/kernel/refusal.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('the cursor of a list', () => {
  it('a cursor names the position that it was made of', () => {
    expect(readCursor('flags', ['text'], toCursor('flags', ['ключ "x"']))).toEqual(['ключ "x"'])
    expect(readCursor('audit', ['id'], toCursor('audit', [12]))).toEqual([12])
    const place = ['2026-01-31T12:00:00.000Z', 3]
    expect(readCursor('schedules', ['instant', 'id'], toCursor('schedules', place))).toEqual(place)
    expect(readCursor('flags', ['text'], undefined)).toBeNull()
  })

  it.each([
    ['of another list', toCursor('audit', ['a'])],
    ['empty', ''],
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no list', encode({ flags: 1 })],
    ['null', encode(null)],
    ['too short', encode(['flags'])],
    ['too long', encode(['flags', 'a', 'b'])],
    ['a number for a text', encode(['flags', 1])],
    ['an object for a text', encode(['flags', { a: 1 }])],
    ['NUL', encode(['flags', 'a\0b'])],
    ['a lone surrogate', encode(['flags', '\ud800'])],
    ['very long', encode(['flags', 'x'.repeat(1_001)])],
    ['deep', Buffer.from('['.repeat(1_400)).toString('base64url')],
  ])('a cursor is refused when it is %s', (_what, cursor) => {
    expect(() => readCursor('flags', ['text'], cursor)).toThrow(Refusal)
  })

  it.each([-1, 1.5, 2 ** 53, '1', null])('a cursor is refused with the id %s', (id) => {
    expect(() => readCursor('audit', ['id'], encode(['audit', id]))).toThrow(Refusal)
  })

  it.each([
    'infinity',
    '0000-01-01T00:00:00.000Z',
    '2026-01-31',
    '2026-99-31T12:00:00.000Z',
    "'; drop table flags",
    '',
  ])('a cursor is refused with the time %j', (moment) => {
    expect(() => readCursor('s', ['instant'], encode(['s', moment]))).toThrow(Refusal)
  })
})
