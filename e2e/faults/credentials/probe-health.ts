import { callApi } from '../../harness/call-api.ts'

/** Requests `/health` repeatedly. */
export function probeHealth(url: string) {
  let isStopped = false
  let slowestMs = 0
  let failures = 0
  async function probe(): Promise<void> {
    while (!isStopped) {
      const started = performance.now()
      const answer = await callApi(url, 'GET', '/health').catch(() => null)
      slowestMs = Math.max(slowestMs, performance.now() - started)
      if (answer?.status !== 200) failures += 1
    }
  }
  const probing = probe()
  return {
    async stop() {
      isStopped = true
      await probing
      return { slowestMs: Math.round(slowestMs), failures }
    },
  }
}
