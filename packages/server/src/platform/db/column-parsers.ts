import pg from 'pg'
import { countInTurn } from '../concurrency/turns.ts'

const JSON_TEXT = 114
const JSONB = 3802
const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184

/** The format of a session in UTC: `2026-01-31 12:00:00.123456+00`. */
const UTC_TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/

/**
 * Creates the parsers of columns: int8 as a number, timestamptz as an ISO 8601 UTC string with milliseconds,
 * date as `YYYY-MM-DD`, json and jsonb parsed. Each pool has its own set, so the global one of pg is not
 * changed.
 */
export function columnParsers(): pg.TypeOverrides {
  const parsers = new pg.TypeOverrides()
  parsers.setTypeParser(INT8, parseInt8)
  parsers.setTypeParser(DATE, (text) => text)
  parsers.setTypeParser(TIMESTAMPTZ, parseTimestamp)
  parsers.setTypeParser(JSON_TEXT, parseJson)
  parsers.setTypeParser(JSONB, parseJson)
  return parsers
}

/** The characters above which a parse counts as a long computation: others take microseconds. */
const LARGE_JSON_CHARACTERS = 32 * 1024

function parseJson(text: string): unknown {
  return text.length < LARGE_JSON_CHARACTERS ? JSON.parse(text) : countInTurn(() => JSON.parse(text))
}

function parseInt8(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} does not fit a JavaScript number`)
  return number
}

/**
 * Parses a timestamp. Digits after the milliseconds are cut, not rounded, as `Date` does. `infinity` is
 * unchanged.
 */
export function parseTimestamp(text: string): string {
  const utc = UTC_TIMESTAMP.exec(text)
  if (utc !== null) return `${utc[1]}T${utc[2]}.${(utc[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`
  const date = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  return Number.isNaN(date.getTime()) ? text : date.toISOString()
}
