import { KEY_MAX_LENGTH } from '@burgee/contract'

const OUTSIDE = /[^A-Za-z0-9_-]/gu
const SHOWN_MAX = 4

/**
 * Describes why an event key cannot be the goal of an experiment, and the way out; null where it can. Events
 * may be tracked under any key (docs/reference/reports.md#goal-events).
 */
export function describeGoalProblem(event_key: string): string | null {
  const found = [...new Set(event_key.match(OUTSIDE) ?? [])]
  if (found.length === 0) {
    return event_key.length > KEY_MAX_LENGTH ? `A goal has at most ${KEY_MAX_LENGTH} characters.` : null
  }
  const shown = found
    .slice(0, SHOWN_MAX)
    .map((character) => (character === ' ' ? 'blanks' : `“${character}”`))
  const rest = found.length > SHOWN_MAX ? ' and others' : ''
  const usable = event_key.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '')
  const wayOut = usable === '' ? 'another key' : `“${usable}”`
  return `A goal has letters A to Z, digits, hyphens and underscores only, not ${shown.join(', ')}${rest}. Track it as ${wayOut}.`
}
