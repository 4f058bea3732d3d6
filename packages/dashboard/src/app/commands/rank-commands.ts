/** Something that the palette offers. */
export interface Ranked {
  /** The group that it is shown in. */
  readonly group: string
  readonly label: string
  /** Label and further words, in lower case. */
  readonly haystack: string
}

/** The number of commands shown of one group unless given. */
const GROUP_MAX = 8

export interface CommandGroup<C extends Ranked> {
  readonly name: string
  readonly commands: readonly C[]
}

/**
 * Ranks the commands that fit a query, best first and by group. Every word of the query is somewhere in such
 * a command, and the label counts more than the words beside it. Commands that fit equally well keep their
 * order.
 */
export function rankCommands<C extends Ranked>(
  commands: readonly C[],
  query: string,
  groupMax = GROUP_MAX,
): CommandGroup<C>[] {
  const wanted = query.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const ranked = commands
    .flatMap((command) => {
      const rank = words.every((word) => command.haystack.includes(word)) ? rankOf(command, wanted) : null
      return rank === null ? [] : [{ command, rank }]
    })
    .sort((one, other) => one.rank - other.rank)
  const groups = new Map<string, C[]>()
  for (const { command } of ranked) {
    const group = groups.get(command.group)
    if (!group) groups.set(command.group, [command])
    else if (group.length < groupMax) group.push(command)
  }
  return [...groups].map(([name, members]) => ({ name, commands: members }))
}

/** 0 is the best. */
function rankOf({ label }: Ranked, wanted: string): number {
  const text = label.toLowerCase()
  const at = text.indexOf(wanted)
  if (text === wanted) return 0
  if (at === 0) return 1
  if (at > 0) return /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 3 : 2
  return wanted.split(/\s+/).every((word) => text.includes(word)) ? 4 : 5
}
