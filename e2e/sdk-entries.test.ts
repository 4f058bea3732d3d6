import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startFlagServer } from '../packages/sdk/test/unit/support/flag-server.ts'
import { flag } from '../packages/sdk/test/unit/support/flags.ts'
import { openStage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ENTRIES = [
  '@burgee/sdk',
  '@burgee/sdk/light',
  '@burgee/sdk/node',
  '@burgee/sdk/testing',
  '@burgee/sdk/values',
]

/** Runs a program until it ends by itself. */
async function runNode(args: string[], env: Record<string, string> = {}) {
  const program = runProcess(openStage(), process.execPath, { args, cwd: ROOT, env })
  return { code: await program.exited, output: program.output(), errors: program.errors() }
}

test('every entry of the built SDK loads as a module of both systems', async () => {
  const print =
    'console.log([index, light, node, testing, values].map((each) => typeof Object.values(each)[0]).join())'
  const names = ['index', 'light', 'node', 'testing', 'values']
  const imports = ENTRIES.map((entry, at) => `import * as ${names[at]} from '${entry}'`).join('\n')
  const requires = ENTRIES.map((entry, at) => `const ${names[at]} = require('${entry}')`).join('\n')

  for (const [text, type] of [
    [imports, 'module'],
    [requires, 'commonjs'],
  ] as const) {
    const { output } = await runNode([`--input-type=${type}`, '-e', `${text}\n${print}`])
    expect(output).toContain('function,function,function,function,function')
  }
})

test('a client without a stream does not keep its program running', async () => {
  const server = await startFlagServer([flag('on')])
  const folder = await mkdtemp(join(tmpdir(), 'burgee-entries-'))
  onTestFinished(() => server.close())
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'flags.json'), '{"on": true}')
  const program = `
import { createClient } from '@burgee/sdk'
import { fileCache, flagsFile } from '@burgee/sdk/node'
const folder = ${JSON.stringify(folder)}
const server = { url: ${JSON.stringify(server.url)}, sdkKey: 'sk_live_test' }
const clients = [
  createClient({ ...server, connection: 'poll', cache: fileCache(folder + '/cache.json') }),
  createClient({ ...server, connection: 'manual' }),
  createClient({ url: '', sdkKey: '', source: flagsFile(folder + '/flags.json') }),
]
for (const client of clients) {
  await client.connect()
  console.log(client.isEnabled('on', 'u'), client.isEnabled('unknown', 'u'))
}
`
  const { output, code } = await runNode(['--input-type=module', '-e', program])

  // It has ended by itself, without close().
  expect([code, output.trim().split('\n')]).toEqual([0, ['true false', 'true false', 'true false']])
})

test('BURGEE_OVERRIDES forces values in development only, and never silently', async () => {
  const program = `
const { createClient } = require('@burgee/sdk')
console.log(createClient({ url: '', sdkKey: '', offline: true }).isEnabled('forced', 'u'))`
  const run = (mode: string) =>
    runNode(['--input-type=commonjs', '-e', program], {
      BURGEE_OVERRIDES: '{"forced": true}',
      NODE_ENV: mode,
    })

  expect(await run('development')).toMatchObject({
    output: expect.stringContaining('true'),
    errors: expect.stringContaining('BURGEE_OVERRIDES forces flags in this process: forced'),
  })
  expect(await run('production')).toMatchObject({
    output: expect.stringContaining('false'),
    errors: expect.stringContaining('BURGEE_OVERRIDES is ignored'),
  })
})
