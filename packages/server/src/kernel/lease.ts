/** Memory that an answer holds until it was sent. */
export interface Lease {
  /** The answer has become smaller: the rest is free for others. */
  shrinkTo(bytes: number): void
  /** May be called more than once. */
  release(): void
  /** Registers what ends the answer when its memory is needed and its reader is slow. */
  onEvict(end: () => void): void
}
