import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startReceiver } from '../../../server/test/harness/start-receiver.ts'
import { temporaryFolder } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'

const EVENT = new URL('../samples/pull-request-event.json', import.meta.url)
const ACTION = new URL('../../pipelines/github/action.yml', import.meta.url)
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const TYPESCRIPT = new URL('../../../server/test/harness/register-typescript.mjs', import.meta.url)
const COMMAND = new URL('../../../server/public/burgee-cli.tgz', import.meta.url)
const LIST = '/repos/harbor-shop/web/issues/41/comments'

let server: CommandServer
beforeAll(async () => {
  server = await startCommandServer()
})
afterAll(() => server.close())

test('the action runs the plan of its inputs, and says whether there are changes', async () => {
  const { code, err, installed, output, received, url } = await runAction({})
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(installed).toMatch(`--yes --package ${url}/burgee-cli.tgz burgee plan --file=flags.yaml`)
  expect(output).toBe('changes=true\n')
  expect(received[0]?.body.body).toContain('+ flag checkout')
})

test('with a hash, the action runs the command that has it, and no other one', async () => {
  const command = readFileSync(COMMAND)
  const sha256 = createHash('sha256').update(command).digest('hex')
  const checksums = readFileSync(new URL('burgee-checksums.txt', COMMAND), 'utf8')
  expect(checksums).toContain(`${sha256}  burgee-cli.tgz\n`)
  const same = await runAction({ sha256 })
  expect({ code: same.code, output: same.output }).toEqual({ code: 0, output: 'changes=true\n' })
  expect(same.installed).toMatch(/--yes --package \/\S+\/burgee-cli\.tgz burgee plan/)
  const other = await runAction({ sha256: 'f'.repeat(64) })
  expect(other).toMatchObject({ code: 1, installed: '', output: '' })
  expect(other.err).toContain(`has the SHA-256 hash ${sha256}, not ffff`)
})

/** Runs the step of the action as a job does. */
async function runAction(inputsGiven: Readonly<Record<string, string>>) {
  const service = await startReceiver()
  onTestFinished(() => service.close())
  service.reply((_, response) => response.end('[]'), `${LIST}?per_page=100&page=1`)
  service.reply((_, response) => response.writeHead(201).end('{}'), LIST)
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'flags.yaml'), 'apiVersion: burgee/v1\nname: team\nflags: [{ key: checkout }]\n')
  const { runs, inputs } = parse(readFileSync(ACTION, 'utf8'))
  const [step] = runs.steps
  // npx runs the command of this folder, and writes down the package that it was to install.
  const npx = `#!/bin/bash\necho "$*" > installed\nshift 4\nexec "${process.execPath}" -C burgee-source --import "${TYPESCRIPT}" "${MAIN}" "$@"\n`
  writeFileSync(join(folder, 'npx'), npx)
  chmodSync(join(folder, 'npx'), 0o755)
  writeFileSync(join(folder, 'step.sh'), step.run)
  writeFileSync(join(folder, 'output'), '')
  writeFileSync(join(folder, 'installed'), '')
  const given: Record<string, string> = {
    files: 'flags.yaml\n',
    url: server.url,
    token: server.token,
    environment: 'staging',
    'github-token': 'a-token-of-the-job',
    ...inputsGiven,
  }
  const env = Object.fromEntries(
    Object.entries<string>(step.env).map(([name, text]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1] ?? ''
      return [name, given[input] ?? inputs[input].default]
    }),
  )
  const gitHub = {
    GITHUB_API_URL: service.url('').replace(/\/$/, ''),
    GITHUB_REPOSITORY: 'harbor-shop/web',
    GITHUB_EVENT_PATH: fileURLToPath(EVENT),
  }
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', 'step.sh'], {
    cwd: folder,
    env: {
      ...gitHub,
      ...env,
      PATH: `${folder}:${process.env.PATH}`,
      GITHUB_OUTPUT: join(folder, 'output'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  return {
    ...{ code, err, url: server.url, received: service.received(LIST) },
    installed: readFileSync(join(folder, 'installed'), 'utf8'),
    output: readFileSync(join(folder, 'output'), 'utf8'),
  }
}
