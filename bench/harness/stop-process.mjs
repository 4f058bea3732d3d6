import { once } from 'node:events'

/** Longer than a server's own limit for draining. */
const PATIENCE_MS = 15_000

/** Ends a child process properly, or by force when it does not listen; resolves when it is gone. */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  await gone
  clearTimeout(timer)
}
