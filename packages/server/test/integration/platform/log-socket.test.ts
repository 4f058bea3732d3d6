import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../harness/eventually.ts'

const LOADER = new URL('../../harness/register-typescript.mjs', import.meta.url).href
const PROGRAM = fileURLToPath(new URL('../../harness/log-program.ts', import.meta.url))

test('a log whose socket is full, as under systemd, blocks nothing, and continues when it is read', async () => {
  // The pipes that Node gives a child are sockets.
  const child = spawn(process.execPath, ['--import', LOADER, '-C', 'burgee-source', PROGRAM], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })

  await eventually(() => said.includes('logged\nnext turn\n'), 30_000)

  let log = ''
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  await eventually(() => log.includes('"dropped_lines":'), 30_000)
  child.stdin.end()
  await once(child, 'close')
  const dropped = Number(/"dropped_lines":(\d+)/.exec(log)?.[1])
  expect(dropped).toBeGreaterThan(0)
  expect(log.split('\n').filter((line) => /^x{1023}$/.test(line))).toHaveLength(3_000 - dropped)
})
