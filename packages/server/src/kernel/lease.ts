/** Memory that a response occupies until it was sent. */
export interface Lease {
  /** Releases a part when the response has become smaller. */
  shrinkTo(bytes: number): void
  /** Releases all of it. It may be called more than once. */
  release(): void
  /** Registers a callback that ends the response when its memory is needed and its reader is slow. */
  onEvict(end: () => void): void
}
