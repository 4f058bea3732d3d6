import { describe, expect, test } from 'vitest'
import { createLog } from '../../../../src/platform/log/log.ts'
import { createTextLog } from '../../../../src/platform/log/log-text.ts'

/** Writes one line for each call of `write`. */
function textLog(hasColors = false) {
  const lines: string[] = []
  const destination = createTextLog({ write: (line) => lines.push(line) }, { hasColors })
  return { log: createLog('debug', destination), lines, destination }
}

describe('the text format of the log', () => {
  test('a line has the time, the level, the message and its fields', () => {
    const { lines, log } = textLog()
    log.warn({ port: 3000, file: 'a b' }, 'the port is in use')
    expect(lines.join('')).toMatch(/^\d\d:\d\d:\d\d WARN {2}the port is in use port=3000 file="a b"\n$/)
  })

  test('an error is followed by its stack, indented', () => {
    const { lines, log } = textLog()
    log.error({ err: new Error('it broke') }, 'a request failed')
    expect(lines.join('')).toMatch(/ERROR a request failed\n {2}Error: it broke\n {2} {4}at /)
  })

  test('levels have colors only where they are wanted', () => {
    const colored = textLog(true)
    colored.log.error('red')
    expect(colored.lines.join('')).toContain('\u001b[31mERROR')
    const plain = textLog()
    plain.log.error('plain')
    expect(plain.lines.join('')).not.toContain('\u001b')
  })

  test('control characters of outside text never reach the terminal', () => {
    const { lines, log } = textLog()
    const hostile = 'a\u001b[2J\u009b31m\r\nb'
    log.info({ url: hostile, err: new Error(hostile) }, hostile)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
    expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    expect(lines.join('')).toContain('a\\u001b[2J\\u009b31m')
  })

  test('secrets are masked as in JSON', () => {
    const { lines, log } = textLog()
    log.info({ password: 'hunter2-and-more' }, 'sk_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEF')
    expect(lines.join('')).not.toMatch(/hunter2|0123456789abcdef/)
  })

  test('a line that is not JSON is written as it is', () => {
    const { destination, lines } = textLog()
    destination.write('not JSON\n')
    expect(lines).toEqual(['not JSON\n'])
  })
})
