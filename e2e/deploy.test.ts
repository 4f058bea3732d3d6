import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../packages/server/src/platform/settings/config.ts'
import { withImageVersion } from '../scripts/set-version.mjs'
import { CHART, defaultValues, REFUSED_VALUES, VALUES } from './deploy/chart-values.ts'
import { ROOT, readText } from './deploy/root.ts'
import { freePort } from './harness/free-port.ts'
import { openStage } from './harness/open-stage.ts'
import { runCommand } from './harness/run-language.ts'

describe('the values of the Helm chart', () => {
  const validate = new Ajv({ allErrors: true, strictTypes: false }).compile(
    JSON.parse(readText(`${CHART}/values.schema.json`)),
  )
  // Helm merges objects, and replaces everything else.
  const merge = (base: unknown, over: unknown): unknown => {
    if (!isObject(base) || !isObject(over)) return over
    const merged = Object.entries(over).map(([name, value]) => [name, merge(base[name], value)])
    return { ...base, ...Object.fromEntries(merged) }
  }

  test.each(Object.keys(VALUES))('are valid: %s', (name) => {
    validate(merge(defaultValues(), VALUES[name]))
    expect(validate.errors).toBeNull()
  })

  test.each(Object.keys(REFUSED_VALUES))('are refused: %s', (name) => {
    expect(validate(merge(defaultValues(), REFUSED_VALUES[name]))).toBe(false)
  })
})

test.each([
  ['dockerfilelint', 'Dockerfile'],
  ['dclint', '.'],
])('%s finds nothing to say', async (linter, file) => {
  const stage = openStage()
  const program = join(ROOT, 'node_modules', '.bin', linter)
  const { isOk, output, errors } = await runCommand(stage, { program, args: [file], cwd: ROOT })
  expect(isOk, `${output}${errors}`).toBe(true)
  expect(output).not.toMatch(/\bwarning\b/)
})

test('compose asks for a session secret, and starts PostgreSQL and Redis in the profile full only', () => {
  const { services } = parse(readText('compose.yaml'))
  expect(services.burgee.environment.SESSION_SECRET).toMatch(/^\$\{SESSION_SECRET:\?/)
  const dependencies = new Map(Object.entries(services.burgee)).get('depends_on')
  expect(services.burgee.profiles).toBeUndefined()
  for (const name of ['postgres', 'redis']) {
    expect(services[name]).toMatchObject({ profiles: ['full'], healthcheck: { retries: 12 } })
    expect(dependencies).toMatchObject({ [name]: { condition: 'service_healthy', required: false } })
  }
})

test('the settings of the systemd unit are enough to start in production', () => {
  const unit = readText('deploy/systemd/burgee.service')
  const env = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  const config = loadConfig(env, (path) => {
    expect(path).toBe('%d/session-secret')
    return 'x'.repeat(64)
  })
  expect(config).toMatchObject({ nodeEnv: 'production', host: '127.0.0.1', dataDir: '/var/lib/burgee' })
  expect(unit).toContain('LoadCredential=session-secret:/etc/burgee/session-secret\n')
})

test('set-version renews the versions of chart and image', () => {
  const { version } = JSON.parse(readText('package.json'))
  for (const path of [`${CHART}/Chart.yaml`, 'deploy/kubernetes/kustomization.yaml']) {
    expect(withImageVersion(readText(path), version)).toBe(readText(path))
    expect(withImageVersion(readText(path), '9.8.7')).toContain('9.8.7')
  }
  expect(parse(withImageVersion(readText(`${CHART}/Chart.yaml`), '9.8.7'))).toMatchObject({
    apiVersion: 'v2',
    version: '9.8.7',
    appVersion: '9.8.7',
  })
})

test('the health check of the image fails while nothing listens, and says why', async () => {
  const stage = openStage()
  const program = join(ROOT, 'packages', 'server', 'dist', 'bundle', 'healthcheck.js')
  const env = { PORT: String(await freePort()) }
  const { isOk, errors } = await runCommand(stage, {
    program: process.execPath,
    args: [program],
    cwd: ROOT,
    env,
  })
  expect({ isOk, errors }).toEqual({
    isOk: false,
    errors: expect.stringContaining('The server does not respond: connect ECONNREFUSED'),
  })
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
