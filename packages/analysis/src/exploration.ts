import type { JsonValue } from '@burgee/evaluation'
import type { AttributeClasses } from './attribute-classes.ts'
import type { ExploredFlag } from './closure.ts'
import type { Spend } from './limits.ts'
import type { Path } from './path.ts'

/** The result of the users of one path. */
export interface Outcome {
  readonly path: Path
  readonly value: JsonValue
  readonly enabled: boolean
}

/** The flags of an exploration, and the classes of their attributes. */
export interface Exploration {
  readonly flags: ReadonlyMap<string, ExploredFlag>
  /** The key of the only user; absent where every user is explored. */
  readonly userKey?: string
  readonly spendPath: Spend
  readonly spendTime: Spend
  classesOf(attribute: string): AttributeClasses
}

export type Branches = Generator<readonly [Path, boolean]>
