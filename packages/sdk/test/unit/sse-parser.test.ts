import { describe, expect, it } from 'vitest'
import { createSseParser } from '../../src/stream/sse-parser.ts'

type Event = [name: string, text: string]

function parse(...chunks: string[]): Event[] {
  const events: Event[] = []
  const push = createSseParser((name, text) => events.push([name, text]))
  chunks.forEach(push)
  return events
}

describe('the parser of server-sent events', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('ends lines with %s, wherever the chunks end', (_title, end) => {
    const text = [
      'event: update',
      'data: {"a":1}',
      '',
      ': keep-alive',
      '',
      'event: ready',
      'data: 1',
      '',
      '',
    ].join(end)
    const expected: Event[] = [
      ['update', '{"a":1}'],
      ['ready', '1'],
    ]

    expect(parse(text)).toEqual(expected)
    expect(parse(...text)).toEqual(expected)
    for (let cut = 0; cut <= text.length; cut++) {
      expect(parse(text.slice(0, cut), '', text.slice(cut))).toEqual(expected)
    }
  })

  it('takes line ends mixed at will', () => {
    expect(parse('event: a\r\ndata: 1\n\r', 'event: b\ndata: 2\r\n\r\n')).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  it('gives an event as soon as its blank line ends with CR', () => {
    expect(parse('data: 1\r\r')).toEqual([['', '1']])
  })

  it('joins several data lines with LF', () => {
    expect(parse('data: {\ndata:  "a": 1\ndata\ndata: }\n\n')).toEqual([['', '{\n "a": 1\n\n}']])
  })

  it('takes one space after the colon away, and no more', () => {
    expect(parse('data:1\n\ndata:  2\n\ndata: a: b\n\n')).toEqual([
      ['', '1'],
      ['', ' 2'],
      ['', 'a: b'],
    ])
  })

  it('ignores comments, ids, retry hints and unknown fields', () => {
    expect(parse(': hello\nid: 7\nretry: 1000\nother: x\ndata: 1\n:\n\n')).toEqual([['', '1']])
  })

  it('gives nothing for a block without data, and forgets its name', () => {
    expect(parse('event: lonely\n\ndata: 1\n\n')).toEqual([['', '1']])
  })

  it('gives an event whose data is empty', () => {
    expect(parse('event: connected\ndata:\n\n')).toEqual([['connected', '']])
  })

  it('keeps other line separators of Unicode inside a line', () => {
    expect(parse('data: a\u2028b\u0085c\u000bd\n\n')).toEqual([['', 'a\u2028b\u0085c\u000bd']])
  })

  it('does not give an event that the stream ended in the middle of', () => {
    expect(parse('data: 1\n')).toEqual([])
  })
})
