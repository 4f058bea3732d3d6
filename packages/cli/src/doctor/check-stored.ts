import type { ExceededBound } from '@burgee/contract'
import { countOf } from '../output/count-of.ts'
import { type Finding, findingsOf } from './finding.ts'

/** The things that are named; the others are counted. */
const NAMED_MAX = 20

/** Checks what was stored before a bound and exceeds it: it goes on, and cannot grow. */
export function checkStored(found: readonly ExceededBound[]): Finding {
  const { ok, warning } = findingsOf('stored')
  if (found.length === 0) return ok('nothing stored exceeds a bound')
  const names = found.slice(0, NAMED_MAX).map(({ key, kind, resource }) => `${resource} ${key} (${kind})`)
  const more = found.length - names.length
  return warning(
    `${countOf(found.length, 'stored thing')} beyond a bound: ${names.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
    'The project settings show under Environments what to do about each, and so does GET /api/projects/{project_id}/exceeded-bounds.',
  )
}
