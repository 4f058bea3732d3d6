import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../packages/server/test/harness/eventually.ts'
import { readStream } from '../packages/server/test/harness/read-stream.ts'
import { bearer, environmentOf, patchFlag, putFlag } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { freePort } from './harness/free-port.ts'
import { openStage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { skipBecause } from './harness/skip-because.ts'
import { SDK_KEY, startServer } from './harness/start-server.ts'

const PAGE = new URL('../docs/hardening.md', import.meta.url)
const NGINX = [process.env.NGINX ?? '', '/usr/sbin/nginx'].find((path) => path !== '' && existsSync(path))

/** The settings of the documentation's page, with other ports and without TLS. */
function nginxSettings(folder: string, ports: { proxy: number; server: number }): string {
  const block = /```nginx\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? ''
  const settings = block
    .replace('127.0.0.1:3000', `127.0.0.1:${ports.server}`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${ports.proxy};`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  return `daemon off; pid ${join(folder, 'pid')}; error_log stderr; events { worker_connections 64; }
    http { access_log off; ${places.join(' ')} ${settings} }`
}

test('behind nginx with the settings of docs/hardening.md, a change reaches an open stream at once', async (context) => {
  if (NGINX === undefined) return skipBecause(context, 'nginx is not installed')
  const stage = openStage()
  const server = await startServer(stage, {
    databaseUrl: await cloneDatabase(),
    env: { TRUST_PROXY: '1' },
  })
  const folder = stage.folder('nginx')
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, nginxSettings(folder, { proxy: port, server: Number(new URL(server.url).port) }))
  runProcess(stage, NGINX, { args: ['-p', folder, '-c', file], cwd: folder })
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => (await fetch(`${url}/health`)).ok)
  const environment_id = await environmentOf(url)
  await putFlag(url, environment_id, { key: 'through-the-proxy', is_enabled: false })

  const stream = await readStream(`${url}/stream`, bearer(SDK_KEY))
  await stream.until(({ event }) => event === 'ready')
  await patchFlag(url, environment_id, 'through-the-proxy', { is_enabled: true })

  const update = await stream.until(({ data }) => data.flag?.is_enabled === true || data.is_enabled === true)
  expect(JSON.stringify(update.data)).toContain('through-the-proxy')
  expect((await fetch(`${url}/metrics`)).status).toBe(403)
  stream.close()
})
