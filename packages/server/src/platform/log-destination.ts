import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'
import { errorCode } from './error-code.ts'

/** Lines that wait for a reader of the log, in bytes. What comes after them is dropped and counted. */
const QUEUE_MAX_BYTES = 1024 * 1024
const RETRY_MS = 100
const STANDARD_OUTPUT = 1

export interface LogDestination extends DestinationStream {
  /** Bytes that wait. */
  queuedBytes(): number
}

interface Options {
  /** A file descriptor. */
  readonly fd: number
  /** Writes bytes, or throws as `fs.writeSync` does. Gives how many it took. */
  readonly write?: (fd: number, bytes: Buffer) => number
}

/**
 * Writes log lines to a file descriptor at once. A log that cannot be written (a full disk, a full pipe, a reader that is gone) never
 * ends the process and never blocks it: lines wait while a pipe is full, and are dropped when the disk is full or too many wait. The
 * number of dropped lines is written as soon as writing works again.
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

  /** The count goes first, and waits until it fits: a full disk gets no line that says that lines are missing. */
  function reportDropped(): void {
    if (droppedLines === 0 || queuedBytes > 0) return
    const count = droppedLines
    droppedLines = 0
    add(Buffer.from(`${isMidLine ? '\n' : ''}${droppedLine(count)}`))
    flush()
    // The report was dropped itself, and counted as one line.
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
      // While the pipe is full only the timer tries again: each attempt copies what waits.
      if (!isFull) flush()
      retryLater()
    },
    queuedBytes: () => queuedBytes,
  }
}

/**
 * Standard output of this process, so that a reader who is behind blocks nothing: a pipe is opened a second
 * time, without blocking. A socket, which systemd hands its services, cannot be opened again; Node makes it
 * non-blocking itself when `process.stdout` is made.
 */
export function openStandardOutput(): LogDestination {
  const fd = reopenPipe() ?? STANDARD_OUTPUT
  // Also where `print` writes: without a listener a reader who is gone would end the process.
  process.stdout.on('error', () => undefined)
  return createLogDestination({ fd })
}

function reopenPipe(): number | null {
  try {
    if (!fstatSync(STANDARD_OUTPUT).isFIFO()) return null
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    // Another system than Linux, or nobody reads: writing blocks or fails as the system has it.
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
