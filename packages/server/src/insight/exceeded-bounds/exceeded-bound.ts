import type { ExceededBound } from '@burgee/contract'

/** Returns a finding with the id that it has in the list. */
export const toExceededBound = (found: Omit<ExceededBound, 'id'>): ExceededBound => ({
  id: [found.kind, found.resource, found.environment_id ?? found.project_id ?? '', found.key].join(':'),
  ...found,
})
