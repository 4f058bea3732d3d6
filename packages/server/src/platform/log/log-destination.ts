import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'
import { errorCode } from './error-code.ts'

/** The bytes of log lines that wait for a reader. Later lines are dropped and counted. */
const QUEUE_MAX_BYTES = 1024 * 1024
const RETRY_MS = 100
const STANDARD_OUTPUT = 1

export interface LogDestination extends DestinationStream {
  /** Returns the bytes that wait. */
  queuedBytes(): number
}

interface Options {
  /** The file descriptor. */
  readonly fd: number
  /** Writes bytes, or throws as `fs.writeSync` does. Returns how many were written. */
  readonly write?: (fd: number, bytes: Buffer) => number
}

/**
 * Writes log lines to a file descriptor at once. A log that cannot be written (a full disk, a full pipe, a
 * reader that has ended) never ends or blocks the process: lines wait while a pipe is full, and are dropped
 * when the disk is full or too many wait. The number of dropped lines is written as soon as writing works
 * again.
 */
export function createLogDestination({ fd, write = writeSync }: Options): LogDestination {
  let queue: Buffer[] = []
  let queuedBytes = 0
  let droppedLines = 0
  let isMidLine = false
  let timer: NodeJS.Timeout | null = null

  function add(bytes: Buffer): void {
    queue.push(bytes)
    queuedBytes += bytes.length
  }

  function flush(): void {
    while (queue.length > 0) {
      const bytes = Buffer.concat(queue)
      try {
        const written = write(fd, bytes)
        if (written > 0) isMidLine = bytes[written - 1] !== NEWLINE
        queue = written < bytes.length ? [bytes.subarray(written)] : []
        queuedBytes = bytes.length - written
      } catch (error) {
        if (errorCode(error) === 'EAGAIN') queue = [bytes]
        else dropQueue()
        return
      }
    }
  }

  function dropQueue(): void {
    for (const bytes of queue) droppedLines += countLines(bytes)
    queue = []
    queuedBytes = 0
  }

  /** Writes the count of dropped lines first, once it fits: a full disk gets no line about missing lines. */
  function reportDropped(): void {
    if (droppedLines === 0 || queuedBytes > 0) return
    const count = droppedLines
    droppedLines = 0
    add(Buffer.from(`${isMidLine ? '\n' : ''}${droppedLine(count)}`))
    flush()
    // The report itself was dropped and counted as one line.
    if (droppedLines > 0) droppedLines = count
  }

  function retryLater(): void {
    if (queue.length === 0 || timer !== null) return
    timer = setTimeout(() => {
      timer = null
      flush()
      reportDropped()
      retryLater()
    }, RETRY_MS).unref()
  }

  return {
    write(line) {
      const isFull = timer !== null
      if (!isFull) reportDropped()
      const bytes = Buffer.from(line)
      if (queuedBytes + bytes.length > QUEUE_MAX_BYTES) droppedLines += 1
      else add(bytes)
      // While the pipe is full only the timer tries again, because each attempt copies what waits.
      if (!isFull) flush()
      retryLater()
    },
    queuedBytes: () => queuedBytes,
  }
}

/**
 * Opens the standard output of this process so that a slow reader does not block it: a pipe is opened a
 * second time, without blocking. A socket, which systemd gives its services, cannot be opened again; Node
 * makes it non-blocking when `process.stdout` is created.
 */
export function openStandardOutput(): LogDestination {
  const fd = reopenPipe() ?? STANDARD_OUTPUT
  // `print` writes to the same stream: without a listener, a closed reader would end the process.
  process.stdout.on('error', () => undefined)
  return createLogDestination({ fd })
}

function reopenPipe(): number | null {
  try {
    if (!fstatSync(STANDARD_OUTPUT).isFIFO()) return null
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // Not Linux, or without a reader: writing blocks or fails as the system does it.
    return null
  }
}

const droppedLine = (count: number): string =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped_lines: count, msg: 'log lines could not be written' })}\n`

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return Math.max(1, count)
}
const NEWLINE = 0x0a
