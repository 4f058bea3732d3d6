/**
 * The first segments of paths that are reserved for the API, now and later: no file and no page is served
 * below them.
 */
export const API_ROOTS: readonly string[] = [
  'api',
  'flags',
  'health',
  'metrics',
  'ofrep',
  'openfeature',
  'ready',
  'scim',
  'sdk',
  'stream',
]
