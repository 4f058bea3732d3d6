/** The fields that differ, to be sent alone: what someone else has changed meanwhile in the others stays. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const changed: Partial<T> = {}
  for (const key in after) {
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) changed[key] = after[key]
  }
  return changed
}
