import { createPauses } from './limits.ts'
import type { Step } from './pattern-step.ts'
import type { Steps } from './steps.ts'

/** Longer than any text that a pattern searches. */
const LENGTH = 513
const STEPS_MAX = 1_000_000

interface Reached {
  readonly text: string
  readonly states: readonly number[]
  /** The state before the last character. */
  readonly from: string
}

/**
 * Returns a text with more than 512 characters for each state of the product that such texts have. Null
 * beyond the bounds.
 */
export function* longWitnesses(
  steps: readonly Step[],
  alphabet: readonly string[],
  spendTime: () => void,
): Steps<string[] | null> {
  let layer = new Map<string, Reached>([['', { text: '', states: steps.map(() => 0), from: '' }]])
  let taken = 0
  let isStable = false
  const isDue = createPauses(spendTime)
  for (let length = 1; length <= LENGTH; length++) {
    spendTime()
    yield
    const next = new Map<string, Reached>()
    if (isStable) for (const [key, reached] of layer) next.set(key, extend(layer, reached))
    else
      for (const [from, { text, states }] of layer)
        for (const character of alphabet) {
          taken += steps.length + 1
          if (taken > STEPS_MAX) return null
          if (isDue(steps.length)) yield
          const reached = states.map((state, index) => steps[index]?.(state, character) ?? 0)
          const key = reached.join()
          if (!next.has(key)) next.set(key, { text: text + character, states: reached, from })
        }
    // From here on every further character leads from the same states to the same states.
    isStable ||= next.size === layer.size && [...next.keys()].every((key) => layer.has(key))
    layer = next
  }
  return isStable ? [...layer.values()].map(({ text }) => text) : null
}

/** Returns the same state, reached by one more character from the state before it. */
function extend(layer: ReadonlyMap<string, Reached>, reached: Reached): Reached {
  const before = layer.get(reached.from)?.text ?? ''
  const last = [...reached.text].at(-1) ?? ''
  return { ...reached, text: before + last }
}
