import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../../packages/server/src/platform/log/error-code.ts'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi, environmentOf, putFlag } from '../../harness/call-api.ts'
import { freePort } from '../../harness/free-port.ts'
import type { Stage } from '../../harness/open-stage.ts'
import { runServer } from '../../harness/start-server.ts'
import { PATIENCE_MS, within } from '../../harness/within.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import { fillDisk, onSmallDisk, seenBy, whyNoSmallDisk } from '../disk/small-disk.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const REQUESTS = { short: 800, full: 50_000 }
const DISK_SIZE = '1m'
const LANES = 8
/** The capacity of a Linux pipe, less a line that did not fit. */
const PIPE_BYTES = 60_000
const LAST_PATH = '/the-last-line-of-the-log'
/** Logs every request. */
const ENV = { LOG_LEVEL: 'trace' }

export const fault: Fault = {
  group: 'dependencies',
  title: 'The log cannot be written because its disk is full or its pipe is not read',
  promise:
    'The server works as before. When the log can be written again, it continues and states how many lines are missing.',
  async run(stage, scale) {
    const requests = Math.ceil(countOf(scale, REQUESTS) / 2)
    const databaseUrl = await createSharedDatabase()
    const broken: string[] = []
    const skipped = whyNoSmallDisk()
    const [piped, filled] = await Promise.all([
      writeIntoFullPipe(stage, databaseUrl, requests),
      skipped === null ? writeOntoFullDisk(stage, databaseUrl, requests) : { failed: 0, log: '' },
    ])
    if (piped.failed > 0) broken.push(`${piped.failed} requests failed while the pipe was full.`)
    if (piped.heldBytes < PIPE_BYTES) broken.push(`The pipe was not full: it held ${piped.heldBytes} bytes.`)
    const droppedFromPipe = countDropped(piped.log)
    // The short form sends less than what may wait for the pipe.
    if (scale === 'full' && droppedFromPipe === 0)
      broken.push('The log that came out of the pipe does not say how many lines are missing.')
    if (!piped.log.includes(LAST_PATH)) broken.push('The log of the pipe did not continue.')
    if (filled.failed > 0) broken.push(`${filled.failed} requests failed while the disk was full.`)
    const dropped = countDropped(filled.log)
    if (skipped === null && dropped === 0) broken.push('The log does not say how many lines are missing.')
    const disk =
      skipped === null
        ? `${inThousands(dropped)} lines missing from the full disk, and counted`
        : 'no full disk: mounting needs root'
    return {
      times: `${inThousands(requests)} requests with each`,
      seen: `${piped.failed + filled.failed} failed; ${inThousands(droppedFromPipe)} lines missing from the full pipe, and counted; ${disk}`,
      broken,
    }
  },
}

const countDropped = (log: string): number =>
  [...log.matchAll(/"dropped_lines":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)

interface Piped {
  readonly failed: number
  /** The bytes in the pipe when all requests were answered. */
  readonly heldBytes: number
  readonly log: string
}

/** Runs a server whose standard output is a pipe that is not read before all requests are answered. */
async function writeIntoFullPipe(stage: Stage, databaseUrl: string, requests: number): Promise<Piped> {
  const pipe = join(stage.folder('pipes'), 'log')
  spawnSync('mkfifo', [pipe])
  // Open for reading, so that the server can open it for writing.
  const reader = openSync(pipe, constants.O_RDWR)
  const port = await freePort()
  const launcher = ['sh', '-c', 'exec "$@" > "$0"', pipe]
  const server = runServer(stage, { databaseUrl, port, launcher, env: ENV })
  const url = `http://127.0.0.1:${port}`
  await eventually(() => callApi(url, 'GET', '/health'), 30_000)
  const failed = await sendMany(url, requests)
  const drain = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  let log = readWhatIsThere(drain)
  const heldBytes = log.length
  await eventually(async () => {
    // Lines are dropped until the waiting ones have been read.
    await callApi(url, 'GET', LAST_PATH)
    log += readWhatIsThere(drain)
    return log.includes(LAST_PATH)
  }, PATIENCE_MS).catch(() => undefined)
  closeSync(drain)
  server.kill('SIGTERM')
  await within(PATIENCE_MS, 'the end of a server after SIGTERM', server.exited)
  closeSync(reader)
  return { failed, heldBytes, log }
}

/** Empties a pipe that was opened without blocking. */
function readWhatIsThere(file: number): string {
  const buffer = Buffer.alloc(PIPE_BYTES)
  let text = ''
  for (;;) {
    try {
      const length = readSync(file, buffer)
      if (length === 0) return text
      text += buffer.toString('latin1', 0, length)
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') return text
      throw error
    }
  }
}

/** Runs a server whose standard output is a file on a full disk. */
async function writeOntoFullDisk(
  stage: Stage,
  databaseUrl: string,
  requests: number,
): Promise<{ failed: number; log: string }> {
  const logs = stage.folder('logs')
  const port = await freePort()
  const launcher = onSmallDisk(logs, DISK_SIZE, '>> "$0/log"')
  const server = runServer(stage, { databaseUrl, port, launcher, env: ENV })
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

/** Writes and reads. Returns the number of responses other than 200. */
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
