import type { RuleOrigin } from '@burgee/contract'
import type { EvaluatedFlag } from '@burgee/evaluation'

/**
 * A flag for SDKs: with expanded segments (docs/reference/streaming.md#stream-contents) and its revision.
 */
export interface WireFlag extends EvaluatedFlag {
  readonly description: string | null
  readonly tags: string[]
  readonly owner_email: string | null
  readonly archived_at: null
  readonly revision: number
  /** False keeps the flag from client keys. It decides who receives the flag, and is never sent. */
  readonly client_visible?: false | undefined
  /**
   * The written rules that the expanded ones come from; absent where they are the same. Only dashboards that
   * ask receive them.
   */
  readonly origins?: readonly RuleOrigin[] | undefined
}

/** Returns the text of what decides an evaluation: flags with equal ones give every user the same. */
export function evaluatedText(flag: WireFlag): string {
  const { description: _d, origins: _o, owner_email: _e, revision: _r, tags: _t, ...evaluated } = flag
  return JSON.stringify(evaluated)
}

type Unsent = 'client_visible' | 'origins'

/** Returns the flag as keys that are not client keys receive it. */
export function toServerFlag(flag: WireFlag): Omit<WireFlag, Unsent> {
  if (flag.client_visible === undefined && flag.origins === undefined) return flag
  const { client_visible: _c, origins: _o, ...rest } = flag
  return rest
}

/**
 * A flag as client keys receive it, without texts that are meant for colleagues (docs/reference/access.md).
 */
export type ClientFlag = Omit<WireFlag, Unsent | 'description' | 'owner_email' | 'tags'>

export function toClientFlag(flag: WireFlag): ClientFlag {
  const { client_visible: _c, description: _d, origins: _r, owner_email: _o, tags: _t, ...rest } = flag
  return rest.rules.some(hasDescription) ? { ...rest, rules: rest.rules.map(withoutDescription) } : rest
}

type Rule = WireFlag['rules'][number]

const hasDescription = (rule: Rule): boolean => 'description' in rule

function withoutDescription(rule: Rule & { readonly description?: string }): Rule {
  const { description: _, ...rest } = rule
  return rest
}
