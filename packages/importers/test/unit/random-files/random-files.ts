import type fc from 'fast-check'
import type { EngineUser } from '../../../src/engines/engine.ts'

/** Random files of a service. */
export interface RandomFiles {
  readonly file: fc.Arbitrary<object>
  /** The values of attributes, and of `$user_key`. */
  readonly pools: Readonly<Record<string, readonly EngineUser['attributes'][string][]>>
}
