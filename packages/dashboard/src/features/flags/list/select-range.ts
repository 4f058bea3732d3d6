/** From one row to another, both included and whichever comes first, all become selected or not. */
export function selectRange(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  { from, to, isSelected }: { readonly from: string; readonly to: string; readonly isSelected: boolean },
): ReadonlySet<string> {
  const end = keys.indexOf(to)
  // A start that is no longer listed is where the range would begin: at its end.
  const start = keys.includes(from) ? keys.indexOf(from) : end
  const changed = new Set(selected)
  for (const key of keys.slice(Math.min(start, end), Math.max(start, end) + 1)) {
    if (isSelected) changed.add(key)
    else changed.delete(key)
  }
  return changed
}
