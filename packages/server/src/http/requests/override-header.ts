import type { IncomingHttpHeaders } from 'node:http'
import { OVERRIDE_HEADER, OVERRIDE_REASON_MAX_LENGTH } from '@burgee/contract'
import { invalid } from '../../kernel/refusal.ts'

/**
 * Returns why the caller overrides invariants, or undefined where they do not. The text may be
 * percent-encoded, because headers are ASCII. Refuses with `invalid` a blank or long one, and control
 * characters, which the database cannot store.
 */
export function overrideOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[OVERRIDE_HEADER.toLowerCase()]
  if (given === undefined) return undefined
  const reason = decode(String(given)).trim()
  if (reason === '') throw refused('must give the reason for which the invariants are overridden')
  if (reason.length > OVERRIDE_REASON_MAX_LENGTH)
    throw refused(`must have at most ${OVERRIDE_REASON_MAX_LENGTH} characters`)
  if (CONTROL_CHARACTER.test(reason)) throw refused('must have no control characters')
  return reason
}

const CONTROL_CHARACTER = /\p{Cc}/u

const refused = (message: string) =>
  invalid([{ path: '', message: `The header ${OVERRIDE_HEADER} ${message}` }])

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
