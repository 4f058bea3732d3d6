import { describe, expect, test } from 'vitest'
import { COMPARED, parseCommand } from '../../../../../bench/parse-command.mjs'

const KNOWN = [...COMPARED, 'webhooks']
const parse = (...args: string[]) => parseCommand(args, KNOWN)
const reasonOf = (...args: string[]) => {
  const command = parse(...args)
  return command.kind === 'refused' ? command.reason : command
}

describe('the arguments of the benches', () => {
  test('a run without a name has every bench', () => {
    expect(parse('--quick')).toEqual({ kind: 'run', names: KNOWN, quick: true, json: undefined })
    expect(parse('writes', '--json', 'out.json')).toEqual({
      ...{ kind: 'run', names: ['writes'], quick: false },
      json: 'out.json',
    })
  })

  test('a comparison has a commit, the usual benches or named ones, windows of 3 s and three rounds', () => {
    const usual = { kind: 'compare', commit: '753c866', windowMs: 3_000, rounds: 3, json: undefined }
    expect(parse('compare', '753c866')).toEqual({ ...usual, names: COMPARED })
    expect(parse('compare', '753c866', 'webhooks')).toEqual({ ...usual, names: ['webhooks'] })
    expect(parse('compare', '753c866', '--window', '0.2', '--rounds', '1')).toEqual({
      ...usual,
      ...{ names: COMPARED, windowMs: 200, rounds: 1 },
    })
  })

  test('the page is written by name', () => {
    expect(parse('--write', 'writes', 'start')).toEqual({ kind: 'write', names: ['writes', 'start'] })
  })

  test('arguments that mean nothing are refused with what to do', () => {
    expect(reasonOf('compare')).toContain('Name a commit')
    expect(reasonOf('--write')).toContain('Name the benches')
    expect(reasonOf('--write', 'writes', '--quick')).toContain('without compare and --quick')
    expect(reasonOf('--write', 'compare', 'HEAD')).toContain('without compare and --quick')
    expect(reasonOf('written')).toContain('There is no bench written; there are writes,')
    expect(reasonOf('compare', 'HEAD', 'written')).toContain('There is no bench written')
    expect(reasonOf('writes', '--rounds', '3')).toContain('belong to compare')
    expect(reasonOf('compare', 'HEAD', '--rounds', '1.5')).toContain('--rounds is a whole number')
    expect(reasonOf('compare', 'HEAD', '--window', '0')).toContain('--window is a number of seconds')
    expect(reasonOf('compare', 'HEAD', '--window', 'long')).toContain('--window is a number of seconds')
    expect(reasonOf('--fast')).toContain("'--fast'")
  })
})
