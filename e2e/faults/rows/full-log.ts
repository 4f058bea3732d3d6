import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi, environmentOf, putFlag } from '../../harness/call-api.ts'
import { freePort } from '../../harness/free-port.ts'
import type { Stage } from '../../harness/open-stage.ts'
import { runServer } from '../../harness/start-server.ts'
import { PATIENCE_MS, within } from '../../harness/within.ts'
import { countOf } from '../count-of.ts'
import { fillDisk, onSmallDisk, seenBy, whyNoSmallDisk } from '../disk/small-disk.ts'
import type { Fault } from '../fault.ts'
import { inThousands } from '../judge/percentile.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const REQUESTS = { short: 300, full: 50_000 }
const DISK_SIZE = '1m'
const LANES = 8
/** Every request is a line of the log. */
const ENV = { LOG_LEVEL: 'trace' }

export const fault: Fault = {
  group: 'dependencies',
  title: 'The log cannot be written: its disk is full, or nobody reads its pipe',
  promise:
    'The server goes on and answers as before; the log goes on when it can be written again, and says how many lines are missing.',
  async run(stage, scale) {
    const requests = Math.ceil(countOf(scale, REQUESTS) / 2)
    const databaseUrl = await createSharedDatabase()
    const broken: string[] = []
    const skipped = whyNoSmallDisk()
    const [piped, filled] = await Promise.all([
      writeIntoFullPipe(stage, databaseUrl, requests),
      skipped === null ? writeOntoFullDisk(stage, databaseUrl, requests) : { failed: 0, log: '' },
    ])
    if (piped > 0) broken.push(`${piped} requests failed while the pipe was full.`)
    if (filled.failed > 0) broken.push(`${filled.failed} requests failed while the disk was full.`)
    const dropped = /"dropped_lines":(\d+)/.exec(filled.log)?.[1]
    if (skipped === null && dropped === undefined)
      broken.push('The log does not say how many lines are missing.')
    const disk =
      skipped === null
        ? `${inThousands(Number(dropped))} lines missing from the full disk, and counted`
        : 'no full disk: mounting needs root'
    return {
      times: `${inThousands(requests)} requests with each`,
      seen: `${piped + filled.failed} failed; ${disk}`,
      broken,
    }
  },
}

/** A server whose standard output is a pipe that nobody reads. Gives how many requests failed. */
async function writeIntoFullPipe(stage: Stage, database_url: string, requests: number): Promise<number> {
  const pipe = join(stage.folder('pipes'), 'log')
  spawnSync('mkfifo', [pipe])
  // Open for reading, so that the server can open it for writing.
  const reader = openSync(pipe, constants.O_RDWR)
  const port = await freePort()
  const launcher = ['sh', '-c', 'exec "$@" > "$0"', pipe]
  const server = runServer(stage, { database_url, port, launcher, env: ENV })
  const url = `http://127.0.0.1:${port}`
  await eventually(() => callApi(url, 'GET', '/health'), 30_000)
  const failed = await sendMany(url, requests)
  server.kill('SIGTERM')
  await within(PATIENCE_MS, 'the end of a server after SIGTERM', server.exited)
  closeSync(reader)
  return failed
}

/** A server whose standard output is a file on a full disk. */
async function writeOntoFullDisk(
  stage: Stage,
  database_url: string,
  requests: number,
): Promise<{ failed: number; log: string }> {
  const logs = stage.folder('logs')
  const port = await freePort()
  const launcher = onSmallDisk(logs, DISK_SIZE, '>> "$0/log"')
  const server = runServer(stage, { database_url, port, launcher, env: ENV })
  const url = `http://127.0.0.1:${port}`
  await eventually(() => callApi(url, 'GET', '/health'), 30_000)
  const free = fillDisk(seenBy(server.pid, logs))
  const failed = await sendMany(url, requests)
  free()
  const log = () => readFileSync(join(seenBy(server.pid, logs), 'log'), 'utf8')
  await eventually(async () => {
    await callApi(url, 'GET', '/health')
    return log().includes('dropped_lines')
  }).catch(() => undefined)
  const text = log()
  server.kill('SIGTERM')
  await within(PATIENCE_MS, 'the end of a server after SIGTERM', server.exited)
  return { failed, log: text }
}

/** Writes and reads. Gives how many were not answered 200. */
async function sendMany(url: string, requests: number): Promise<number> {
  const environmentId = await environmentOf(url)
  let sent = 0
  let failed = 0
  const send = async () => {
    while (sent < requests) {
      sent += 1
      const answered =
        sent % 10 === 0
          ? await putFlag(url, environmentId, { key: 'written' }).catch(() => null)
          : await callApi(url, 'GET', '/health').catch(() => null)
      if (answered?.status !== 200) failed += 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, send))
  return failed
}
