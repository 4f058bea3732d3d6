/** Gives SQL texts that come again a name, under which each connection keeps them parsed. */
export interface StatementNames {
  /** The name to run the text under, or null to run it without one. */
  nameOf(text: string): string | null
}

/** Each connection keeps every named statement, so their number is bounded. */
const MAX_NAMED = 500
const MAX_CANDIDATES = 2_000

/** Longer texts are built for one occasion (a list of a thousand values) and seldom come again. */
const MAX_TEXT_CHARS = 8_000

/** A text is named when it is seen for the second time. */
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
