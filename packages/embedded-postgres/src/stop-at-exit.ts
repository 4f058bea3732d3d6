/**
 * Calls `stop` when this process exits by itself, because stopping took too long or something failed, so that
 * no child outlives it. SIGKILL leaves no time for it. Returns a function that unregisters the call once the
 * child has ended.
 */
export function stopAtExit(stop: () => unknown): () => void {
  process.once('exit', stop)
  return () => void process.removeListener('exit', stop)
}
