import { shareTurn } from './concurrency/turns.ts'

/**
 * Returns the keys that are given, and all that refer to one of them, directly or through others. Each list
 * of references is read once, and other work has its turns between two of them.
 *
 * @param references What each key refers to.
 */
export async function leadTo(
  keys: Iterable<string>,
  references: Iterable<readonly [key: string, to: Iterable<string>]>,
): Promise<Set<string>> {
  const referring = new Map<string, string[]>()
  for (const [key, to] of references) {
    await shareTurn()
    for (const each of to) {
      const known = referring.get(each)
      if (known) known.push(key)
      else referring.set(each, [key])
    }
  }
  const leading = new Set(keys)
  // The set grows while it is read: each key is added once.
  for (const key of leading) {
    await shareTurn()
    for (const each of referring.get(key) ?? []) leading.add(each)
  }
  return leading
}
