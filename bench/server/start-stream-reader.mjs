import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stopProcess } from '../harness/stop-process.mjs'

const READER = fileURLToPath(new URL('./stream-reader.mjs', import.meta.url))
const ANSWER_TIMEOUT_MS = 60_000

/** Starts the process that reads streams. It accepts one question at a time. */
export function startStreamReader() {
  const child = fork(READER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ask = (message, response) => {
    const received = untilReceived(child, response)
    child.send(message)
    return received
  }
  return {
    /**
     * Opens a stream for each target `{ port, sdk_key }`; resolves with the milliseconds until all had read
     * `ready`.
     */
    open: (targets) => ask({ kind: 'open', targets }, 'opened').then(({ took_ms }) => took_ms),
    /**
     * Resolves when the reader watches for the mark, with a promise `arrived` of `{ medianAt, last_at, cpuMs
     * }`: when the frame with the mark had reached half of the streams and all of them, and what reading
     * cost.
     */
    async lookOutFor(mark) {
      await ask({ kind: 'wait', mark }, 'waiting')
      return { arrived: untilReceived(child, 'arrived') }
    },
    /** Resolves with `{ spreadMs }` when every confirmation of a client has its response. */
    confirmed: () => ask({ kind: 'confirmed' }, 'all-confirmed'),
    close: () => stopProcess(child),
  }
}

function untilReceived(child, kind) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(new Error(`the reader has not ${kind} in time`)), ANSWER_TIMEOUT_MS)
    const onMessage = (message) => {
      if (message.kind === kind) finish(message)
      if (message.kind === 'failed') finish(new Error(`the reader failed: ${message.reason}`))
    }
    const onExit = () => finish(new Error('the reader ended'))
    function finish(outcome) {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
}
