import type { JsonValue } from '../flag.ts'
import type { AttributeClasses } from './attribute-classes.ts'
import type { WalkedFlag } from './closure.ts'
import type { Spend } from './limits.ts'
import type { Path } from './path.ts'

/** The result of the users of one path. */
export interface Outcome {
  readonly path: Path
  readonly value: JsonValue
  readonly enabled: boolean
}

/** The flags of a walk, and the classes of their attributes. */
export interface Ground {
  readonly flags: ReadonlyMap<string, WalkedFlag>
  /** The key of the only user; absent where every user is walked. */
  readonly userKey?: string
  readonly spendPath: Spend
  readonly spendTime: Spend
  classesOf(attribute: string): AttributeClasses
}

export type Branches = Generator<readonly [Path, boolean]>
