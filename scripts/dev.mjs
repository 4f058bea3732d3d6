/**
 * `npm run dev`: compiles on every change and restarts the server. The dashboard has its own port and reloads
 * by itself.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bin, ensureBuilt, ensureInstalled, ROOT, run } from './prepare.mjs'

const PORT = process.env.PORT ?? '3000'

ensureInstalled()
await ensureBuilt()
// The build bundles the server. Here it runs as the compiler writes it, file by file.
run(bin('tsc'), ['-b', 'packages/server'])
const children = [
  spawn(bin('tsc'), ['-b', '--watch', '--preserveWatchOutput', 'packages/server'], {
    cwd: ROOT,
    stdio: 'inherit',
  }),
  spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', join('packages', 'server', 'dist', 'main.js')],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { NODE_ENV: 'development', COOKIE_SECURE: 'false', ...process.env },
    },
  ),
  // It prints its own address, and requests the API from the server.
  spawn(bin('vite'), ['--clearScreen', 'false'], {
    cwd: join(ROOT, 'packages', 'dashboard'),
    stdio: 'inherit',
    env: { BURGEE_URL: `http://localhost:${PORT}`, ...process.env },
  }),
]
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
const stopAll = () => {
  for (const child of children) child.kill()
}
for (const child of children) child.on('exit', stopAll)
