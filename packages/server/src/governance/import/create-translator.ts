import { type ChildProcess, fork } from 'node:child_process'
import { Refusal } from '../../kernel/refusal.ts'
import { createFairQueue } from '../../platform/concurrency/fair-queue.ts'
import { packageFile } from '../../platform/package-file.ts'
import type { Translated, Translation } from './translate-files.ts'

/**
 * Translates files in a process of its own, so that the event loop goes on. A thread would not do: where it
 * runs out of memory, it can end the whole server.
 */
export interface Translator {
  /**
   * Returns the response in JSON. Callers take turns, so that one who sends many waits for these alone.
   * Refuses unreadable files, those that take too much time or memory, and a caller of whom too many wait.
   */
  translate(caller: string, translation: Translation): Promise<Buffer>
  close(): Promise<void>
}

interface TranslatorOptions {
  /** Options of Node for the process, where the server runs from its sources. */
  readonly execArgv?: readonly string[] | undefined
  /** The time for one translation. */
  readonly timeMs?: number
  /** The heap of the process. */
  readonly heapMb?: number
}

const TIME_MS = 10_000
const HEAP_MB = 256
/** Translations that wait for the one that runs: of all callers, and of one. */
const WAITING_MAX = 32
const WAITING_OF_CALLER_MAX = 4
/** The time without a translation after which the process ends. */
const IDLE_MS = 30_000

const SPLIT =
  'Import them in parts, or with the command burgee import, which has no such limit. JSON takes a part of the time of YAML.'

/** Creates the translator. Its process is started by the first translation, and again after it was ended. */
export function createTranslator(options: TranslatorOptions = {}): Translator {
  const { timeMs = TIME_MS } = options
  const queue = createFairQueue({
    concurrency: 1,
    waitingMax: WAITING_MAX,
    waitingOfOneMax: WAITING_OF_CALLER_MAX,
    message: 'Too many imports are waiting. Send one after another, and try again in a few seconds.',
  })
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined

  const stop = async () => {
    const ended = child
    child = null
    clearTimeout(idle)
    if (ended) await kill(ended)
  }

  async function run(translation: Translation): Promise<Buffer> {
    clearTimeout(idle)
    const translated = await attempt(translation)
    idle = setTimeout(stop, IDLE_MS).unref()
    if (translated.kind === 'refused') throw new Refusal('invalid', translated.message)
    const { buffer, byteLength, byteOffset } = translated.bytes
    return Buffer.from(buffer, byteOffset, byteLength)
  }

  async function attempt(translation: Translation): Promise<Translated> {
    try {
      if (child?.connected !== true) child = await startProcess(options)
      return await ask(child, translation, timeMs)
    } catch (error) {
      await stop()
      if (!(error instanceof TooMuch)) throw error
      return { kind: 'refused', message: error.message }
    }
  }

  return {
    translate: (caller, translation) => queue.run({ from: caller, account: caller }, () => run(translation)),
    close: stop,
  }
}

/** The files take too much time or memory. */
class TooMuch extends Error {}

/** Starts the process: from the sources, or from the bundle of the build. */
async function startProcess({ execArgv = [], heapMb = HEAP_MB }: TranslatorOptions): Promise<ChildProcess> {
  const isSource = import.meta.url.endsWith('.ts')
  const file = isSource ? 'src/governance/import/import-process.ts' : 'dist/bundle/import-process.js'
  const child = fork(packageFile(file), {
    // The settings of the server have secrets.
    env: {},
    execArgv: [...execArgv, `--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // A failure to send arrives here as well; the exit states what matters.
  child.on('error', () => undefined)
  await resultOf(child)
  return child
}

function ask(child: ChildProcess, translation: Translation, timeMs: number): Promise<Translated> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `The files take more than ${timeMs / 1000} s to translate. ${SPLIT}`
    timer = setTimeout(() => reject(new TooMuch(message)), timeMs)
  })
  const reply = resultOf(child)
  child.send(translation)
  // The process runs the same program, whose messages are of this type.
  return Promise.race([reply as Promise<Translated>, late]).finally(() => clearTimeout(timer))
}

/** Resolves with the next message of the process. Rejects when it ends before. */
function resultOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off('exit', onExit)
      resolve(message)
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      child.off('message', onMessage)
      if (signal === 'SIGABRT' || code === ABORTED)
        reject(new TooMuch(`The files take too much memory. ${SPLIT}`))
      else reject(new Error(`the process of imports ended with ${signal ?? code}`))
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}

/** The exit code of a shell's child after SIGABRT, with which Node ends when its heap is full. */
const ABORTED = 134

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}
