/**
 * Calls `stop` when this process exits by itself, whether stopping took too long, or something failed: no child may outlive that. A
 * SIGKILL leaves no time for it. Returns what takes the call back, for when the child is gone.
 */
export function stopAtExit(stop: () => unknown): () => void {
  process.once('exit', stop)
  return () => void process.removeListener('exit', stop)
}
