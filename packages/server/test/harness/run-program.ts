import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const LOADER = new URL('./register-typescript.mjs', import.meta.url).href

export type Program = {
  pid: number
  process: ChildProcess
  /**
   * Resolves with the first matching line of its output since its start; rejects when it ends without one.
   */
  line(pattern: RegExp): Promise<string>
  /** Returns everything that it wrote to standard error so far. */
  errors(): string
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code, or null after a signal. */
  exited: Promise<number | null>
}

type Options = {
  args?: string[]
  env?: Record<string, string>
  account?: { uid: number; gid: number } | null
}

/** Runs a TypeScript program of the sources in its own Node process. */
export function runProgram(program: URL, options: Options = {}): Program {
  const args = ['--import', LOADER, '-C', 'burgee-source', fileURLToPath(program), ...(options.args ?? [])]
  const child = spawn(process.execPath, args, {
    cwd: '/',
    env: { PATH: process.env.PATH, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.account ?? {}),
  })
  const lines: string[] = []
  const output = createInterface({ input: child.stdout })
  output.on('line', (line) => lines.push(line))
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8')
  })
  const exited = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null))
  return {
    pid: child.pid ?? 0,
    process: child,
    errors: () => errors,
    signal: (name) => void child.kill(name),
    exited,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const earlier = lines.find((line) => pattern.test(line))
        if (earlier !== undefined) return resolve(earlier)
        output.on('line', (line) => pattern.test(line) && resolve(line))
        void exited.then((code) => reject(new Error(`the program ended with ${code}: ${errors}`)))
      }),
  }
}
