import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildImage, openBuildah } from './deploy/build-image.ts'
import { needProgram } from './deploy/run-here.ts'
import { freePort } from './harness/free-port.ts'
import { openStage } from './harness/open-stage.ts'
import { skipBecause } from './harness/skip-because.ts'
import { SESSION_SECRET } from './harness/start-server.ts'

/** Building the image takes some minutes on a busy machine with two cores. */
const PATIENCE_MS = 900_000

test('the image builds, serves as an account without rights, and reports its health', {
  timeout: PATIENCE_MS,
}, async (context) => {
  const stage = openStage()
  await needProgram(stage, context, 'buildah', '--version')
  if (process.getuid?.() !== 0) skipBecause(context, 'buildah builds without a user namespace as root only')
  const buildah = openBuildah(stage)
  const image = await buildImage(stage, buildah)
  const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', image))
  expect(OCIv1.config).toMatchObject({
    User: 'node',
    ExposedPorts: { '3000/tcp': {} },
    Volumes: { '/data': {} },
    Cmd: ['node', 'dist/bundle/main.js'],
    StopSignal: 'SIGTERM',
  })
  const container = await buildah('from', '--pull-never', image)
  const port = await freePort()
  const settings = ['--env', `PORT=${port}`, '--env', `SESSION_SECRET=${SESSION_SECRET}`]
  const inside = (...command: readonly string[]) =>
    buildah('run', '--isolation', 'chroot', ...settings, container, '--', ...command)
  expect(await inside('id')).toMatch(/^uid=1000\(node\)/)
  await expect(inside('node', 'dist/bundle/healthcheck.js')).rejects.toThrow('does not respond')
  const main = inside('node', 'dist/bundle/main.js')
  main.catch(() => undefined)
  const health = `http://127.0.0.1:${port}/ready`
  await expect
    .poll(
      () =>
        fetch(health)
          .then(({ status }) => status)
          .catch(() => 0),
      { timeout: PATIENCE_MS },
    )
    .toBe(200)
  await inside('node', 'dist/bundle/healthcheck.js')
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(await page.text()).toContain('<title>Burgee')
  stopServerOn(port)
  await main
  await buildah('rm', '--all')
})

/** Ends the server in the container. Buildah does not pass a signal on. */
function stopServerOn(port: number): void {
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false
    const [command, ...args] = wordsOf(name, 'cmdline')
    const isServer = command?.endsWith('node') === true && args[0] === 'dist/bundle/main.js'
    return isServer && wordsOf(name, 'environ').includes(`PORT=${port}`)
  })
  process.kill(Number(pid), 'SIGTERM')
}

/** Returns the words of a file of a process, which may have ended. */
function wordsOf(pid: string, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
  } catch {
    return []
  }
}
