import { describe, expect, it } from 'vitest'
import { parseTimestamp } from '../../../src/platform/db/column-parsers.ts'
import {
  DatabaseUnavailable,
  isDatabaseUnavailable,
  uniqueViolation,
} from '../../../src/platform/db/connect.ts'
import { createStatementNames } from '../../../src/platform/db/statement-names.ts'

describe('a timestamp of the database', () => {
  it.each([
    ['2026-01-31 12:00:00+00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 12:00:00.5+00', '2026-01-31T12:00:00.500Z'],
    ['2026-01-31 12:00:00.123456+00', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31 12:00:00.9999+00', '2026-01-31T12:00:00.999Z'],
    ['2026-01-31 12:00:00.25+02', '2026-01-31T10:00:00.250Z'],
    ['2026-01-31 12:00:00-03:30', '2026-01-31T15:30:00.000Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['infinity', 'infinity'],
  ])('the timestamp %s is read as %s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected)
  })
})

describe('an error', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code })
  it.each([
    ['no connection to be had', new DatabaseUnavailable(coded('28P01')), true],
    ['connection refused', coded('ECONNREFUSED'), true],
    ['connection reset', coded('ECONNRESET'), true],
    ['administrator shutdown', coded('57P01'), true],
    ['crash shutdown', coded('57P02'), true],
    ['starting up', coded('57P03'), true],
    ['too many connections', coded('53300'), true],
    ['out of memory', coded('53200'), true],
    ['a full disk', coded('53100'), true],
    ['an I/O error', coded('58030'), true],
    ['a read-only database', coded('25006'), true],
    ['a dropped database', coded('57P04'), true],
    ['connection failure', coded('08006'), true],
    ['a connection that broke', new Error('Connection terminated unexpectedly'), true],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect'), true],
    ['a duplicate', coded('23505'), false],
    ['a syntax error', coded('42601'), false],
    ['a statement that took too long', coded('57014'), true],
    ['a lock that was waited for too long', coded('55P03'), true],
    ['a deadlock', coded('40P01'), true],
    ['a missing file', coded('ENOENT'), false],
    ['any other error', new Error('x'), false],
    ['no error', undefined, false],
    ['a text', 'Connection terminated', false],
  ])('the error %s means that the database is unavailable: %s', (_, error, expected) => {
    expect(isDatabaseUnavailable(error)).toBe(expected)
  })

  it.each([
    [{ code: '23505', constraint: 'users_email_key' }, 'users_email_key'],
    [{ code: '23503', constraint: 'users_email_key' }, null],
    [{ code: '23505' }, null],
    [null, null],
    ['23505', null],
  ])('the error %j violates %j', (error, constraint) => {
    expect(uniqueViolation(error)).toBe(constraint)
  })
})

describe('naming statements', () => {
  it('a statement has a unique name from its second run on', () => {
    const names = createStatementNames()
    expect(names.nameOf('select 1')).toBeNull()
    expect(names.nameOf('select 2')).toBeNull()
    const name = names.nameOf('select 1')
    expect(name).not.toBeNull()
    expect(names.nameOf('select 1')).toBe(name)
    expect(names.nameOf('select 2')).not.toBe(name)
  })

  it('a statement gets no name when 500 have one, or when it is very long', () => {
    const names = createStatementNames()
    const twice = (text: string) => [names.nameOf(text), names.nameOf(text)][1]
    expect(twice(`select '${'x'.repeat(10_000)}'`)).toBeNull()
    const given = Array.from({ length: 600 }, (_, n) => twice(`select ${n}`))
    expect(given.filter((name) => name !== null)).toHaveLength(500)
    expect(names.nameOf('select 0')).toBe(given[0])
  })
})
