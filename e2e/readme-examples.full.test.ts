import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openStage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { firstExample, writeExample } from './harness/write-example.ts'

const TYPESCRIPT = new URL('../packages/server/test/harness/register-typescript.mjs', import.meta.url).href
const SERVER = fileURLToPath(new URL('../packages/server/', import.meta.url))

/** Reads the name of each role, and whether it may create tables. */
const ROLES = `
const roles = []
for (const address of [postgres.connection, postgres.ownerConnection]) {
  const client = new Client(address)
  await client.connect()
  const { rows } = await client.query(
    "select current_user as name, has_schema_privilege('public', 'create') as creates, current_setting('server_version') as version",
  )
  roles.push(rows[0])
  await client.end()
}
`

test('the example of @burgee/embedded-postgres starts PostgreSQL 18 with two roles', async () => {
  const stage = openStage()
  const program = writeExample('embedded-postgres', {
    before: `import { Client } from 'pg'
      const ignore = () => {}
      const log = { debug: ignore, info: ignore, warn: ignore, error: console.error }`,
    replaced: { 'await postgres.close()': `${ROLES}await postgres.close()` },
    after: `console.log('result', JSON.stringify(roles))`,
  })
  const running = runProcess(stage, process.execPath, {
    args: ['-C', 'burgee-source', '--import', TYPESCRIPT, program],
    cwd: stage.folder('.'),
  })
  const line = await running.line(/^result /)
  expect(await running.exited).toBe(0)
  const [application, owner] = JSON.parse(line.slice('result '.length))
  expect([application, owner]).toMatchObject([{ creates: false }, { creates: true }])
  expect(application.version).toMatch(/^18/)
  expect(application.name).not.toBe(owner.name)
})

test('the example of @burgee/server starts a server that prints the address of its wizard', async () => {
  const stage = openStage()
  // The registry has no package yet: npx runs the program of this folder.
  const { bin } = JSON.parse(readFileSync(join(SERVER, 'package.json'), 'utf8'))
  const npx = join(stage.folder('bin'), 'npx')
  writeFileSync(
    npx,
    `#!/bin/sh\n[ "$1" = burgee-server ] && exec node ${join(SERVER, bin['burgee-server'])}\n`,
  )
  chmodSync(npx, 0o755)
  const server = runProcess(stage, 'sh', {
    args: ['-c', firstExample('server').example],
    cwd: stage.folder('.'),
    env: { PATH: `${stage.folder('bin')}:${process.env.PATH}`, PORT: '0' },
    isGroup: true,
  })
  const line = await server.line(/Set up Burgee: http/)
  const wizard = await fetch(/http\S+/.exec(line)?.[0] ?? '', { headers: { accept: 'text/html' } })
  expect([wizard.status, wizard.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/html/),
  ])
  server.kill('SIGTERM')
  await server.exited
})
