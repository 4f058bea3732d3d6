/**
 * A hint from one instance to the others. Hints contain no data: a receiver reads the database. `changes`: an
 * environment has a new revision. `revocations`: rights, or the set of environments, have changed.
 */
export type Hint = { kind: 'changes'; environment_id: string; revision: number } | { kind: 'revocations' }

/**
 * Sends hints between instances at best effort. Hints may be lost, duplicated, reordered or forged; a poll of
 * the database compensates. A publisher may or may not receive its own hints.
 */
export interface Bus {
  /** Returns immediately. A hint that cannot be sent is dropped. */
  publish(hint: Hint): void
  /** Returns a function that ends the subscription. */
  subscribe(listener: (hint: Hint) => void): () => void
  close(): Promise<void>
}
