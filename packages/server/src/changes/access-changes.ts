import type { Changefeed } from './changefeed.ts'

/** Changes of rights by this instance, and by others. */
export interface AccessChanges {
  /** Returns a counter that grows with each of them. */
  generation(): number
  /** Counts one of this instance, before the changefeed has read it, and announces it. */
  made(): void
  /** Counts one that the changefeed has read. */
  read(): void
  /** Calls a function at each of them: what is known of credentials may not be true any more. */
  onChange(call: () => void): void
}

export function createAccessChanges(changefeed: Pick<Changefeed, 'hintAccess'>): AccessChanges {
  const calls: (() => void)[] = []
  let generation = 0

  function read(): void {
    generation += 1
    for (const call of calls) call()
  }

  return {
    generation: () => generation,
    made() {
      read()
      changefeed.hintAccess()
    },
    read,
    onChange: (call) => calls.push(call),
  }
}
