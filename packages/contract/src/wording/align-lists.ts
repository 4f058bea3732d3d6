/** The items of two lists, matched by their positions in each. */
export interface Alignment {
  readonly changed: readonly Step[]
  readonly moved: readonly Step[]
  readonly removed: readonly number[]
  readonly added: readonly number[]
}

interface Step {
  readonly from: number
  readonly to: number
}

/**
 * Limits the comparison, which takes a step for each pair of items between the common ends. A reader cannot
 * use a longer result.
 */
const COMPARED_MAX = 500

/**
 * Aligns two lists of texts. Items in the same order are unchanged, equal texts elsewhere have moved, and
 * items between the same unchanged ones have changed. Null when the lists are too long to compare.
 */
export function alignLists(before: readonly string[], after: readonly string[]): Alignment | null {
  const head = commonLength(before, after, (list, index) => list[index])
  const shorter = Math.min(before.length, after.length)
  const tail = Math.min(
    shorter - head,
    commonLength(before, after, (list, index) => list[list.length - 1 - index]),
  )
  const oldMiddle = before.slice(head, before.length - tail)
  const newMiddle = after.slice(head, after.length - tail)
  if (Math.max(oldMiddle.length, newMiddle.length) > COMPARED_MAX) return null
  const unchanged = longestCommon(oldMiddle, newMiddle)
  const leftovers = { from: others(oldMiddle, unchanged, 'from'), to: others(newMiddle, unchanged, 'to') }
  const moved = findMoved(oldMiddle, newMiddle, leftovers)
  const removed = leftovers.from.filter((from) => !moved.some((step) => step.from === from))
  const added = leftovers.to.filter((to) => !moved.some((step) => step.to === to))
  const changed = findChanged(unchanged, { removed, added })
  const shift = (index: number): number => index + head
  const shiftStep = ({ from, to }: Step): Step => ({ from: shift(from), to: shift(to) })
  return {
    changed: changed.map(shiftStep),
    moved: moved.map(shiftStep),
    removed: removed.filter((from) => !changed.some((step) => step.from === from)).map(shift),
    added: added.filter((to) => !changed.some((step) => step.to === to)).map(shift),
  }
}

function commonLength(
  before: readonly string[],
  after: readonly string[],
  at: (list: readonly string[], index: number) => string | undefined,
): number {
  const shorter = Math.min(before.length, after.length)
  let length = 0
  while (length < shorter && at(before, length) === at(after, length)) length += 1
  return length
}

/** The longest sequence of items that both lists have in the same order. */
function longestCommon(before: readonly string[], after: readonly string[]): Step[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  const lengthAt = (from: number, to: number): number => lengths[from]?.[to] ?? 0
  for (let from = before.length - 1; from >= 0; from -= 1) {
    const row = lengths[from]
    for (let to = after.length - 1; row !== undefined && to >= 0; to -= 1) {
      row[to] =
        before[from] === after[to]
          ? lengthAt(from + 1, to + 1) + 1
          : Math.max(lengthAt(from + 1, to), lengthAt(from, to + 1))
    }
  }
  const steps: Step[] = []
  for (let from = 0, to = 0; from < before.length && to < after.length; ) {
    if (before[from] === after[to]) {
      steps.push({ from, to })
      from += 1
      to += 1
    } else if (lengthAt(from + 1, to) >= lengthAt(from, to + 1)) from += 1
    else to += 1
  }
  return steps
}

function others(list: readonly string[], steps: readonly Step[], side: 'from' | 'to'): number[] {
  const taken = new Set(steps.map((step) => step[side]))
  return [...list.keys()].filter((index) => !taken.has(index))
}

function findMoved(
  before: readonly string[],
  after: readonly string[],
  leftovers: { readonly from: readonly number[]; readonly to: readonly number[] },
): Step[] {
  const free = [...leftovers.from]
  return leftovers.to.flatMap((to) => {
    const at = free.findIndex((from) => before[from] === after[to])
    const [from] = at === -1 ? [] : free.splice(at, 1)
    return from === undefined ? [] : [{ from, to }]
  })
}

/** Pairs removed items with added ones between the same two unchanged items, in order. */
function findChanged(
  unchanged: readonly Step[],
  { added, removed }: { readonly removed: readonly number[]; readonly added: readonly number[] },
): Step[] {
  const gapOf = (index: number, side: 'from' | 'to'): number =>
    unchanged.filter((step) => step[side] < index).length
  const free = added.map((to) => ({ to, gap: gapOf(to, 'to') }))
  return removed.flatMap((from) => {
    const gap = gapOf(from, 'from')
    const at = free.findIndex((item) => item.gap === gap)
    const [item] = at === -1 ? [] : free.splice(at, 1)
    return item === undefined ? [] : [{ from, to: item.to }]
  })
}
