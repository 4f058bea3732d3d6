import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { callApi, environmentOf, putFlag } from './harness/call-api.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { ADMIN, startServer } from './harness/start-server.ts'
import { within } from './harness/within.ts'

const PROGRAM = fileURLToPath(new URL('../packages/server/dist/bundle/admin.js', import.meta.url))
const PATIENCE_MS = 300_000
const WRITERS = 4

/** Runs a command of the operator, and returns its exit code and its output. */
async function admin(stage: Stage, args: readonly string[], env: Readonly<Record<string, string>>) {
  const program = runProcess(stage, process.execPath, {
    args: [PROGRAM, ...args],
    cwd: stage.folder('working-folder'),
    env,
  })
  const code = await within(PATIENCE_MS, `the end of ${args[0]}`, program.exited)
  return { code, output: program.output() }
}

/** Writes flags until it is stopped. Returns the keys that the server has confirmed. */
function writeFlags(url: string, environment_id: string) {
  const confirmed: string[] = []
  let isStopped = false
  const work = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let number = 0; !isStopped; number += 1) {
      const key = `flag-${writer}-${number}`
      await putFlag(url, environment_id, { key, description: 'x'.repeat(200) })
      confirmed.push(key)
    }
  })
  return {
    confirmed,
    async stop() {
      isStopped = true
      await Promise.all(work)
    },
  }
}

test('a backup of the running database has every confirmed write, and a restore is whole or refused', {
  timeout: PATIENCE_MS,
}, async () => {
  const stage = openStage()
  const dataDir = stage.folder('data')
  const file = join(stage.folder('backups'), 'burgee.backup')
  const server = await startServer(stage, { dataDir })
  const environment_id = await environmentOf(server.url)
  const writing = writeFlags(server.url, environment_id)
  await expect.poll(() => writing.confirmed.length, { timeout: PATIENCE_MS }).toBeGreaterThan(50)
  const before = [...writing.confirmed]
  const made = await admin(stage, ['backup', file], { DATA_DIR: dataDir })
  expect(made).toMatchObject({ code: 0 })
  await writing.stop()

  // The server continues to use its own database.
  expect(await admin(stage, ['backup', file], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    output: expect.stringContaining('exists already'),
  })
  expect(await admin(stage, ['restore', file, '--replace'], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    output: expect.stringContaining('is running: stop the server first'),
  })
  await putFlag(server.url, environment_id, { key: 'after' })
  await server.stop()

  const target = stage.folder('restored')
  const damaged = join(stage.folder('backups'), 'damaged.backup')
  const whole = readFileSync(file)
  const half = whole.subarray(0, whole.length / 2)
  const altered = Buffer.from(whole)
  altered[whole.length >> 1] = (altered[whole.length >> 1] ?? 0) ^ 1
  for (const bytes of [half, altered, Buffer.from('no backup')]) {
    writeFileSync(damaged, bytes)
    expect(await admin(stage, ['restore', damaged], { DATA_DIR: target })).toMatchObject({
      code: 1,
      output: expect.stringContaining('Refused, and nothing was changed'),
    })
    expect(readdirSync(target)).toEqual([])
  }

  expect(await admin(stage, ['restore', file], { DATA_DIR: target })).toMatchObject({ code: 0 })
  expect(readdirSync(target).sort()).toEqual(['postgresql', 'postgresql-password', 'session-secret'])
  const restored = await startServer(stage, { dataDir: target })
  const { body } = await callApi(restored.url, 'GET', `/api/environments/${environment_id}/flags`)
  const keys = body.map(({ key }: { key: string }) => key)
  expect(before.filter((key) => !keys.includes(key))).toEqual([])
  expect(keys).not.toContain('after')
  const logIn = await callApi(restored.url, 'POST', '/api/auth/login', ADMIN, {})
  expect(logIn.status).toBe(200)
  await putFlag(restored.url, environment_id, { key: 'written-after-the-restore' })
  await restored.stop()

  // Into the folder of the first server, which has a later database.
  expect(await admin(stage, ['restore', file], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    output: expect.stringContaining('add --replace'),
  })
  expect(await admin(stage, ['restore', file, '--replace'], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
    output: expect.stringContaining('postgresql-before-restore-'),
  })
  const again = await startServer(stage, { dataDir })
  const flags = await callApi(again.url, 'GET', `/api/environments/${environment_id}/flags`)
  expect(flags.body.map(({ key }: { key: string }) => key).sort()).toEqual(keys.sort())
  await again.stop()
})

test('a backup refuses an external database, and a folder without one', async () => {
  const stage = openStage()
  const file = join(stage.folder('backups'), 'none.backup')
  const external = await admin(stage, ['backup', file], { DATABASE_URL: 'postgres://localhost/burgee' })
  expect(external).toMatchObject({ code: 1, output: expect.stringContaining('use pg_dump') })
  const empty = await admin(stage, ['backup', file], { DATA_DIR: stage.folder('empty') })
  expect(empty).toMatchObject({ code: 1, output: expect.stringContaining('There is no database in') })
  expect(await admin(stage, ['restore', file, '--force'], {})).toMatchObject({ code: 2 })
  const optionFirst = await admin(stage, ['restore', '--replace', file], { DATA_DIR: stage.folder('empty') })
  expect(optionFirst).toMatchObject({ code: 2, output: expect.stringContaining(`${file} does not exist.`) })
})
