import { JSON_DEPTH_MAX, JSON_FIELDS_MAX, JSON_ITEMS_MAX } from '@burgee/contract'
import { findUncleanInput } from '../../kernel/hygiene.ts'
import { findExcess } from '../../kernel/json/find-excess.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'

const BOUNDS = { depth: JSON_DEPTH_MAX, fields: JSON_FIELDS_MAX, items: JSON_ITEMS_MAX }
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a body within the bounds of every body, with the same refusals as the ordinary path. */
export function parseBody(bytes: Buffer): unknown {
  const excess = findExcess(bytes, BOUNDS)
  if (excess) throw invalid([excess])
  const parsed = parseText(bytes)
  const problem = findUncleanInput(parsed, JSON_DEPTH_MAX)
  if (problem) throw invalid([problem])
  return parsed
}

function parseText(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Refusal('malformed', 'The body is not valid JSON in UTF-8.')
  }
}
