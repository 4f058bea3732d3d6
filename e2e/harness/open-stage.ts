import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What a test has on this machine: a folder and processes, all gone when it ends, even when the test run itself is killed. */
export interface Stage {
  /** A folder of its own for data folders and the like. */
  folder(name: string): string
  /** This process ends with the stage, at the latest. */
  own(child: ChildProcess): void
  close(): Promise<void>
}

/** PostgreSQL runs under another account than root and must get to its data folder. */
const OTHERS_MAY_PASS = 0o711
const PROCESSES = 'processes'

/** A stage for the running test. */
export function openStage(): Stage {
  const stage = createStage()
  onTestFinished(stage.close)
  return stage
}

/** A stage for whoever closes it: the tests of a whole file. */
export function createStage(): Stage {
  const root = mkdtempSync(join(tmpdir(), 'burgee-e2e-'))
  chmodSync(root, OTHERS_MAY_PASS)
  mkdirSync(join(root, PROCESSES))
  const undertaker = spawn('/bin/sh', ['-c', UNDERTAKER, 'sh', root], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const buried = once(undertaker, 'exit')
  return {
    folder(name) {
      const path = join(root, name)
      mkdirSync(path, { recursive: true, mode: OTHERS_MAY_PASS })
      return path
    },
    own(child) {
      if (child.pid === undefined) return
      const note = join(root, PROCESSES, String(child.pid))
      writeFileSync(note, '')
      // Its id may soon be another's.
      child.once('exit', () => rmSync(note, { force: true }))
    },
    async close() {
      undertaker.stdin?.end()
      await buried
    },
  }
}

/**
 * A shell that waits for the end of its input, which comes when the stage closes or this process dies, and then ends every process of
 * the stage, PostgreSQL servers that lost their parents included, and removes the folder.
 */
const UNDERTAKER = `
cat >/dev/null
for note in "$1"/${PROCESSES}/*; do
  [ -e "$note" ] && kill -KILL "\${note##*/}" 2>/dev/null
done
for file in "$1"/*/postgresql/postmaster.pid; do
  [ -e "$file" ] || continue
  pid=$(head -n 1 "$file")
  kill -CONT "$pid" 2>/dev/null
  kill -QUIT "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
done
rm -rf "$1"
`
