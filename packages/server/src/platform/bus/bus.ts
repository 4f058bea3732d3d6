/**
 * What instances tell each other. A hint says where to look and is never data: whoever hears one reads the database. `changes`: an
 * environment reached a revision; `revocations`: someone's rights changed, or the set of environments.
 */
export type Hint = { kind: 'changes'; environment_id: string; revision: number } | { kind: 'revocations' }

/**
 * Carries hints between instances, at best effort: hints may be lost, doubled, reordered or forged, and a poll of the database
 * covers for all of that. A publisher may or may not hear its own hints, so nobody relies on hearing them.
 */
export interface Bus {
  /** Returns at once; a hint that cannot be sent is dropped. */
  publish(hint: Hint): void
  /** Returns the function that ends the subscription. */
  subscribe(listener: (hint: Hint) => void): () => void
  close(): Promise<void>
}
