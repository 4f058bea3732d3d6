/** Names repeated SQL texts, so that connections keep them as prepared statements. */
export interface StatementNames {
  /** Returns the name for the text; null to run it without one. */
  nameOf(text: string): string | null
}

/** The number of named statements, which every connection keeps. */
const MAX_NAMED = 500
const MAX_CANDIDATES = 2_000

/**
 * The length of a text that is named. Longer ones are built for one occasion (a list of a thousand values)
 * and are rarely repeated.
 */
const MAX_TEXT_CHARS = 8_000

/** Creates the names. A text is named when it occurs for the second time. */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  const candidates = new Set<string>()
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (names.size >= MAX_NAMED || text.length > MAX_TEXT_CHARS) return null
      if (!candidates.delete(text)) {
        if (candidates.size >= MAX_CANDIDATES) candidates.clear()
        candidates.add(text)
        return null
      }
      const name = `burgee_${names.size + 1}`
      names.set(text, name)
      return name
    },
  }
}
