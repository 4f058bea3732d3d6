import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startReceiver } from '../../../server/test/harness/start-receiver.ts'
import { temporaryFolder } from '../harness/run.ts'
import { startCommandServer } from '../harness/start-command-server.ts'

const EVENT = new URL('../samples/pull-request-event.json', import.meta.url)
const ACTION = new URL('../../pipelines/github/action.yml', import.meta.url)
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const TYPESCRIPT = new URL('../../../server/test/harness/register-typescript.mjs', import.meta.url)
const LIST = '/repos/harbor-shop/web/issues/41/comments'

test('the action runs the plan of its inputs, and says whether there are changes', async () => {
  const server = await startCommandServer()
  onTestFinished(() => server.close())
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
  const given: Record<string, string> = {
    files: 'flags.yaml\n',
    url: server.url,
    token: server.token,
    environment: 'staging',
    'github-token': 'a-token-of-the-job',
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
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(readFileSync(join(folder, 'installed'), 'utf8')).toMatch(
    `--yes --package ${server.url}/burgee-cli.tgz burgee plan --file=flags.yaml`,
  )
  expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('changes=true\n')
  expect(service.received(LIST)[0]?.body.body).toContain('+ flag checkout')
})
