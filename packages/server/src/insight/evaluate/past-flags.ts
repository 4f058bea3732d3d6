import type { WireFlag } from '../../kernel/wire-flag.ts'

/** The flags of a past moment by key. Those that are stored as texts are parsed each time they are read. */
export interface PastFlags {
  add(flag: WireFlag): void
  addText(key: string, text: string, origins: WireFlag['origins'] | null): void
  has(key: string): boolean
  get(key: string): WireFlag | undefined
  prerequisitesOf(key: string): WireFlag['prerequisites']
  keys(): Iterable<string>
}

interface Text {
  readonly text: string
  readonly origins: WireFlag['origins'] | null
  /** Set when they were requested. */
  prerequisites?: WireFlag['prerequisites']
}

const NONE: WireFlag['prerequisites'] = []

export function createPastFlags(): PastFlags {
  const flags = new Map<string, WireFlag | Text>()

  function get(key: string): WireFlag | undefined {
    const found = flags.get(key)
    return found && 'text' in found ? parse(found) : found
  }

  return {
    add: (flag) => void flags.set(flag.key, flag),
    addText: (key, text, origins) => void flags.set(key, { text, origins }),
    has: (key) => flags.has(key),
    get,
    prerequisitesOf(key) {
      const found = flags.get(key)
      if (found && 'text' in found)
        found.prerequisites ??= isWithoutPrerequisites(found.text) ? NONE : parse(found).prerequisites
      return found?.prerequisites ?? NONE
    },
    keys: () => flags.keys(),
  }
}

function parse({ origins, text }: Text): WireFlag {
  // The change log has it as `toWireFlag` made it.
  const flag = JSON.parse(text) as WireFlag
  return origins ? Object.assign(flag, { origins }) : flag
}

const FIELD = '"prerequisites":'

/**
 * Returns whether a text surely states that the flag requires no other: most need not be parsed for that. A
 * name inside a text has its quotes escaped, and one inside a value is a second one.
 */
function isWithoutPrerequisites(text: string): boolean {
  const at = text.indexOf(FIELD)
  return at !== -1 && text.startsWith('[]', at + FIELD.length) && text.indexOf(FIELD, at + 1) === -1
}
