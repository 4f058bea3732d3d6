import { once } from 'node:events'

/** The wait, which exceeds a server's own limit for draining. */
const PATIENCE_MS = 15_000

/** Ends a child process with a signal, or by force when it ignores it; resolves when it has ended. */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  await gone
  clearTimeout(timer)
}
