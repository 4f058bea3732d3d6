import type { EvaluationSet } from '../../kernel/evaluation-set.ts'

/** Lets requests wait until this instance has reached a revision. */
interface RevisionWaiters {
  /** Resolves when the set has the revision, after a second, or at once when too many wait. */
  wait(set: EvaluationSet, revision: number): Promise<void>
  /** Resolves those whose revision the environment has reached. */
  reached(environment_id: string): void
  /** Resolves all. */
  close(): void
}

interface Waiting {
  readonly set: EvaluationSet
  readonly revision: number
  readonly resume: () => void
}

const WAIT_MS = 1_000
const WAITING_MAX = 2_000

export function createRevisionWaiters(): RevisionWaiters {
  const waiting = new Map<string, Set<Waiting>>()
  let count = 0

  function remove(one: Waiting): void {
    const own = waiting.get(one.set.environment_id)
    if (!own?.delete(one)) return
    count -= 1
    if (own.size === 0) waiting.delete(one.set.environment_id)
  }

  return {
    wait(set, revision) {
      if (set.revision >= revision || count >= WAITING_MAX) return Promise.resolve()
      return new Promise((resolve) => {
        const one: Waiting = {
          set,
          revision,
          resume() {
            clearTimeout(timer)
            remove(one)
            resolve()
          },
        }
        const timer = setTimeout(one.resume, WAIT_MS)
        const own = waiting.get(set.environment_id) ?? new Set()
        waiting.set(set.environment_id, own.add(one))
        count += 1
      })
    },
    reached(environment_id) {
      for (const { resume, revision, set } of waiting.get(environment_id) ?? []) {
        if (set.revision >= revision) resume()
      }
    },
    close() {
      for (const own of [...waiting.values()]) for (const { resume } of own) resume()
    },
  }
}
