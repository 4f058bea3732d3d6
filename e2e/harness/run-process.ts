import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Stage } from './open-stage.ts'

export interface RunningProcess {
  readonly pid: number
  /** Returns everything that it wrote so far, standard error included. */
  output(): string
  /** Returns only standard error. */
  errors(): string
  /** Resolves with the first line of its output that matches; rejects when it ends without one. */
  line(pattern: RegExp): Promise<string>
  kill(signal: NodeJS.Signals): void
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>
}

interface ProcessOptions {
  readonly args?: string[]
  readonly cwd: string
  readonly env?: Record<string, string>
  readonly isGroup?: boolean
}

/**
 * Runs a program in its own process, with the given environment and only the path of this one. With
 * `isGroup`, `kill` also reaches the processes that it has started.
 */
export function runProcess(
  stage: Stage,
  command: string,
  { args = [], cwd, env = {}, isGroup = false }: ProcessOptions,
): RunningProcess {
  const child: ChildProcess = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  })
  stage.own(child)
  const lines: string[] = []
  const watchers = new Set<(line: string) => void>()
  let errors = ''
  const exited = once(child, 'close').then(([code, signal]) => code ?? signal)
  for (const output of [child.stdout, child.stderr]) {
    if (!output) continue
    createInterface({ input: output }).on('line', (line) => {
      lines.push(line)
      if (output === child.stderr) errors += `${line}\n`
      for (const watch of watchers) watch(line)
    })
  }
  return {
    pid: child.pid ?? 0,
    output: () => lines.join('\n'),
    errors: () => errors,
    kill(signal) {
      if (isGroup && child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
      else child.kill(signal)
    },
    exited,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (line: string) => {
          if (!pattern.test(line)) return
          watchers.delete(watch)
          resolve(line)
        }
        watchers.add(watch)
        lines.forEach(watch)
        void exited.then((code) => reject(new Error(`the program ended with ${code}:\n${lines.join('\n')}`)))
      }),
  }
}
