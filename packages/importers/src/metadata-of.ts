import type { JsonObject } from './reading.ts'

/** Returns the metadata that a flag of Burgee can have: texts, numbers and booleans. */
export const metadataOf = (metadata: JsonObject): ReadonlyMap<string, string | number | boolean> =>
  new Map(
    Object.entries(metadata).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, value]]
        : [],
    ),
  )
