import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * The folder and the processes of a test, which are removed and ended with it, even when the test run itself
 * is killed.
 */
export interface Stage {
  /** Creates a folder, for a data folder and the like. */
  folder(name: string): string
  /** Ends this process with the stage, at the latest. */
  own(child: ChildProcess): void
  close(): Promise<void>
}

/** The mode of a folder that PostgreSQL must reach: it runs under another account than root. */
const OTHERS_MAY_PASS = 0o711
const PROCESSES = 'processes'

/** Opens a stage for the running test. */
export function openStage(): Stage {
  const stage = createStage()
  onTestFinished(stage.close)
  return stage
}

/** Creates a stage that the caller closes: for the tests of a whole file. */
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
      // Another process may soon have its id.
      child.once('exit', () => rmSync(note, { force: true }))
    },
    async close() {
      undertaker.stdin?.end()
      await buried
    },
  }
}

/**
 * A shell that waits for the end of its input, which comes when the stage closes or this process dies. It
 * then ends every process of the stage, with PostgreSQL servers that lost their parents, and removes the
 * folder.
 */
const UNDERTAKER = `
cat >/dev/null
for note in "$1"/${PROCESSES}/*; do
  [ -e "$note" ] || continue
  kill -KILL "-\${note##*/}" 2>/dev/null
  kill -KILL "\${note##*/}" 2>/dev/null
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
