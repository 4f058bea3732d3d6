import type { AccessToken } from '@burgee/contract'

/** A token in a list, and the number of tokens of the list above it in its tree. */
export interface ArrangedToken {
  readonly token: AccessToken
  readonly depth: number
}

/** Returns tokens as a tree: each is followed by those that were created with it. */
export function arrangeTokens(tokens: readonly AccessToken[]): readonly ArrangedToken[] {
  const children = new Map<number | null, AccessToken[]>()
  for (const token of tokens) {
    const siblings = children.get(token.parent_id)
    if (siblings) siblings.push(token)
    else children.set(token.parent_id, [token])
  }
  const ids = new Set(tokens.map(({ id }) => id))
  // The parent of a service account's token is that of a person, and in no list beside it.
  const roots = tokens.filter(({ parent_id }) => parent_id === null || !ids.has(parent_id))
  const arranged: ArrangedToken[] = []
  const waiting = roots.toReversed().map((token) => ({ token, depth: 0 }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { depth, token } = next
    arranged.push(next)
    for (const child of (children.get(token.id) ?? []).toReversed())
      waiting.push({ token: child, depth: depth + 1 })
  }
  return arranged
}
