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
  ])('the parser ends lines with %s, wherever the chunks end', (_title, end) => {
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

  it('the parser accepts mixed line ends', () => {
    expect(parse('event: a\r\ndata: 1\n\r', 'event: b\ndata: 2\r\n\r\n')).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  it('the parser emits an event as soon as its blank line ends with CR', () => {
    expect(parse('data: 1\r\r')).toEqual([['', '1']])
  })

  it('the parser joins several data lines with LF', () => {
    expect(parse('data: {\ndata:  "a": 1\ndata\ndata: }\n\n')).toEqual([['', '{\n "a": 1\n\n}']])
  })

  it('the parser removes one space after the colon, and no more', () => {
    expect(parse('data:1\n\ndata:  2\n\ndata: a: b\n\n')).toEqual([
      ['', '1'],
      ['', ' 2'],
      ['', 'a: b'],
    ])
  })

  it('the parser ignores comments, ids, retry hints and unknown fields', () => {
    expect(parse(': hello\nid: 7\nretry: 1000\nother: x\ndata: 1\n:\n\n')).toEqual([['', '1']])
  })

  it('the parser emits nothing for a block without data, and discards its name', () => {
    expect(parse('event: lonely\n\ndata: 1\n\n')).toEqual([['', '1']])
  })

  it('the parser emits an event with empty data', () => {
    expect(parse('event: connected\ndata:\n\n')).toEqual([['connected', '']])
  })

  it('the parser keeps other line separators of Unicode inside a line', () => {
    expect(parse('data: a\u2028b\u0085c\u000bd\n\n')).toEqual([['', 'a\u2028b\u0085c\u000bd']])
  })

  it('the parser does not emit an event when the stream ends within it', () => {
    expect(parse('data: 1\n')).toEqual([])
  })
})
