import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { stopProcess } from './stop-process.mjs'
import { untilPrinted } from './until-printed.mjs'

const START_TIMEOUT_MS = 10_000

/** Starts a Redis without persistence; null when redis-server is not installed. */
export async function startRedis() {
  if (!isOnPath('redis-server')) return null
  const port = await freePort()
  const options = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    tmpdir(),
  ]
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'pipe'] })
  await untilPrinted(child, /Ready to accept connections/, START_TIMEOUT_MS)
  return { url: `redis://127.0.0.1:${port}`, close: () => stopProcess(child) }
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('no free port was given')
      server.close(() => resolve(address.port))
    })
  })
}
