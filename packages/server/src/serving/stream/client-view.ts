import type { FlagChange, StoredChange } from '../../changes/index.ts'
import type { WireFlag } from '../../kernel/wire-flag.ts'

/** A change as streams send it. */
export type SentChange = StoredChange & {
  /** The part for client keys, in order; absent where they receive what others do. */
  readonly toClients?: readonly FlagChange[]
}

/**
 * The flags that client keys receive: those that are visible to them, and the hidden ones that these need as
 * prerequisites, at any depth. It follows the changes of an environment, one at a time.
 */
export interface ClientView {
  /** The keys of all flags with `client_visible: false`, those included that visible flags need. */
  readonly hiddenKeys: ReadonlySet<string>
  /** Returns whether client keys receive the flag. */
  sends(flag: WireFlag): boolean
  /**
   * Follows a change of the flags from `before` to `after`, after which `flags` has the new state. Returns
   * what client keys receive of it; undefined where they receive what others do.
   */
  follow(
    change: FlagChange,
    before: WireFlag | undefined,
    after: WireFlag | undefined,
  ): FlagChange[] | undefined
}

/** Creates the view of the flags, which its caller changes before each `follow`. */
export function createClientView(flags: ReadonlyMap<string, WireFlag>): ClientView {
  const hidden = new Set([...flags.values()].filter(isHidden).map(({ key }) => key))
  let needed = findNeeded(flags, hidden)

  return {
    hiddenKeys: hidden,
    sends: ({ key }) => !hidden.has(key) || needed.has(key),
    follow(change, before, after) {
      const key = change.flag_key
      const isPlain = hidden.size === 0 && !isHidden(after)
      if (isPlain) return undefined
      const wasSent = isSent(before, needed)
      if (isHidden(after)) hidden.add(key)
      else hidden.delete(key)
      const neededBefore = needed
      if (canChangeOthers(before, after)) needed = findNeeded(flags, hidden)
      return [
        ...[...needed].filter((other) => other !== key && !neededBefore.has(other)).flatMap(appeared),
        ...ownChange(change, wasSent, isSent(after, needed)),
        ...[...neededBefore].filter((other) => other !== key && !needed.has(other)).map(disappeared),
      ]
    },
  }

  function appeared(key: string): FlagChange[] {
    const flag = flags.get(key)
    return flag ? [{ kind: 'upsert', flag_key: key, flag }] : []
  }
}

const isHidden = (flag: WireFlag | undefined): boolean => flag?.client_visible === false

const isSent = (flag: WireFlag | undefined, needed: ReadonlySet<string>): boolean =>
  flag !== undefined && (!isHidden(flag) || needed.has(flag.key))

const disappeared = (flag_key: string): FlagChange => ({ kind: 'delete', flag_key })

function ownChange(change: FlagChange, wasSent: boolean, isSentNow: boolean): FlagChange[] {
  if (isSentNow) return [change]
  return wasSent ? [disappeared(change.flag_key)] : []
}

/** Tests whether the change can alter which hidden flags are needed. Most changes cannot. */
function canChangeOthers(before: WireFlag | undefined, after: WireFlag | undefined): boolean {
  if (!before || !after) return before !== after
  if (isHidden(before) !== isHidden(after)) return true
  const [old, current] = [before.prerequisites, after.prerequisites]
  return old.length !== current.length || old.some((needs, at) => needs.flag_key !== current[at]?.flag_key)
}

/** Returns the hidden flags that visible ones need, directly or through hidden ones. */
function findNeeded(flags: ReadonlyMap<string, WireFlag>, hidden: ReadonlySet<string>): ReadonlySet<string> {
  const needed = new Set<string>()
  if (hidden.size === 0) return needed
  const need = ({ prerequisites }: WireFlag): void => {
    for (const { flag_key } of prerequisites) if (hidden.has(flag_key)) needed.add(flag_key)
  }
  for (const flag of flags.values()) if (!isHidden(flag)) need(flag)
  // A set is iterated with what is added meanwhile.
  for (const key of needed) {
    const flag = flags.get(key)
    if (flag) need(flag)
  }
  return needed
}
