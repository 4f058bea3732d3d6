import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { environmentOf, putFlag } from './harness/call-api.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { startServer } from './harness/start-server.ts'
import { within } from './harness/within.ts'

const BURGEE = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))
const PATIENCE_MS = 300_000

/** Runs `burgee` to its end, and returns its exit code and its output. */
async function burgee(stage: Stage, ...args: string[]) {
  const program = runProcess(stage, process.execPath, {
    ...{ args: [BURGEE, ...args], cwd: stage.folder('working-folder'), env: {} },
  })
  const code = await within(PATIENCE_MS, `the end of burgee ${args[0]}`, program.exited)
  return { code, output: program.output() }
}

test('burgee serve runs the server; burgee backup and restore bring its database back', {
  timeout: PATIENCE_MS,
}, async () => {
  const stage = openStage()
  const dataDir = stage.folder('data')
  const file = join(stage.folder('backups'), 'burgee.backup')
  const program = [BURGEE, 'serve', '--data-dir', dataDir]
  const server = await startServer(stage, { program })
  const environment_id = await environmentOf(server.url)
  await putFlag(server.url, environment_id, { key: 'kept' })

  const backup = await burgee(stage, '-o', 'json', 'backup', file, '--data-dir', dataDir)
  expect(backup.code).toBe(0)
  expect(JSON.parse(backup.output)).toEqual({ file, bytes: statSync(file).size })
  const early = await burgee(stage, 'restore', file, '--replace', '--data-dir', dataDir)
  expect(early).toMatchObject({ code: 1, output: expect.stringContaining('stop the server first') })
  expect(await server.stop()).toBe(0)
  const gone = await burgee(stage, 'restore', `${file}.gone`, '--data-dir', stage.folder('empty'))
  expect(gone).toMatchObject({ code: 2, output: expect.stringContaining(`${file}.gone does not exist.`) })
  expect(gone.output).not.toContain('ENOENT')
  const folder = stage.folder('a-folder')
  expect(await burgee(stage, 'restore', folder, '--data-dir', stage.folder('empty'))).toMatchObject({
    code: 2,
    output: expect.stringContaining(`${folder} is a folder.`),
  })

  const target = stage.folder('restored')
  const restore = await burgee(stage, '-o', 'json', 'restore', file, '--data-dir', target)
  expect(restore.code).toBe(0)
  expect(JSON.parse(restore.output)).toEqual({ file })
  const restored = await startServer(stage, { dataDir: target })
  expect(await environmentOf(restored.url)).toBe(environment_id)
  expect(await restored.stop()).toBe(0)
})
