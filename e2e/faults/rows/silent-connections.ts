import { fileURLToPath } from 'node:url'
import { openSocket, type RawSocket } from '../../../packages/server/test/harness/open-socket.ts'
import { callApi } from '../../harness/call-api.ts'
import { runProcess } from '../../harness/run-process.ts'
import { ADMIN, SDK_KEY } from '../../harness/start-server.ts'
import { PATIENCE_MS, within } from '../../harness/within.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const OPEN_FILES = 1_024
/** The numbers of silent connections: as many as descriptors, and multiples. */
const SILENT = { short: [OPEN_FILES], full: [OPEN_FILES, 2 * OPEN_FILES, 10 * OPEN_FILES] }
const ASKED = 20
const MAIN = fileURLToPath(new URL('../../../packages/server/dist/bundle/main.js', import.meta.url))

export const fault: Fault = {
  group: 'connections',
  title: `More silent connections than the ${OPEN_FILES} file descriptors of the process`,
  promise:
    '`/health`, requests and streams work as before. The connections that have been silent for longest are closed.',
  async run(stage, scale) {
    const server = runProcess(stage, '/bin/sh', {
      args: ['-c', `ulimit -n ${OPEN_FILES}; exec "$0" "$1"`, process.execPath, MAIN],
      cwd: stage.folder('working-folder'),
      env: {
        PORT: '0',
        DATABASE_URL: await createSharedDatabase(),
        SESSION_SECRET: 'a-session-secret-for-tests-of-32-characters',
        SETUP_ADMIN_EMAIL: ADMIN.email,
        SETUP_ADMIN_PASSWORD: ADMIN.password,
        SETUP_SDK_KEY: SDK_KEY,
      },
    })
    const line = await within(PATIENCE_MS, 'a server that listens', server.line(/^Burgee is listening/))
    const url = `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}`
    const broken: string[] = []
    const silent: RawSocket[] = []
    let slowestMs = 0
    for (const count of SILENT[scale]) {
      while (silent.length < count) silent.push(await openSocket(url))
      for (let at = 0; at < ASKED; at += 1) {
        const startedMs = performance.now()
        const health = await callApi(url, 'GET', '/health', undefined, {})
        slowestMs = Math.max(slowestMs, performance.now() - startedMs)
        if (health.status !== 200) broken.push(`/health returned ${health.status}`)
        const snapshot = await callApi(url, 'GET', '/flags/snapshot')
        if (snapshot.status !== 200) broken.push(`the snapshot returned ${snapshot.status}`)
      }
      const stream = await openSocket(url)
      stream.send(`GET /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SDK_KEY}\r\n\r\n`)
      await stream.until(/event: ready/)
      stream.destroy()
    }
    const closed = silent.filter((socket) => socket.isClosed()).length
    for (const socket of silent) socket.destroy()
    server.kill('SIGTERM')
    if ((await within(PATIENCE_MS, 'the end of a server after SIGTERM', server.exited)) !== 0)
      broken.push('the server did not end properly')
    return {
      times: `${silent.length.toLocaleString('en-US')} connections`,
      seen: `${closed} were closed to make room; slowest /health ${Math.round(slowestMs)} ms`,
      broken,
    }
  },
}
