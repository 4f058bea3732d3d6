import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, type TestContext, test } from 'vitest'
import { buildImage, openBuildah } from './deploy/build-image.ts'
import { CHART, REFUSED_VALUES, VALUES } from './deploy/chart-values.ts'
import { checkManifests, type Manifest, readManifests } from './deploy/check-manifests.ts'
import { findHelm } from './deploy/find-helm.ts'
import { ROOT, readText } from './deploy/root.ts'
import { freePort } from './harness/free-port.ts'
import { openStage, type Stage } from './harness/open-stage.ts'
import { runCommand } from './harness/run-language.ts'
import { skipBecause } from './harness/skip-because.ts'
import { SESSION_SECRET } from './harness/start-server.ts'

/** Building helm, or the image, takes some minutes on a busy machine with two cores. */
const PATIENCE_MS = 900_000
/** Helm checks this version against the chart's, without a cluster. */
const KUBERNETES = '1.30.0'
/** The greatest exposure of the unit, in tenths: systemd calls less than 4 OK. */
const EXPOSURE_MAX = 30

const run = (stage: Stage, program: string, ...args: readonly string[]) =>
  runCommand(stage, { program, args, cwd: ROOT })

/** Skips the test where a program is missing. */
async function need(stage: Stage, context: TestContext, program: string, ...args: readonly string[]) {
  if (!(await run(stage, program, ...args)).isOk) skipBecause(context, `${program} is not installed`)
}

test('systemd accepts the unit, and its exposure is at most 3', async (context) => {
  const stage = openStage()
  await need(stage, context, 'systemd-analyze', '--version')
  const file = join(stage.folder('unit'), 'burgee.service')
  // The program must exist on this machine.
  writeFileSync(file, readText('deploy/systemd/burgee.service').replace('/usr/bin/node', process.execPath))
  expect(await run(stage, 'systemd-analyze', 'verify', file)).toEqual({ isOk: true, output: '', errors: '' })
  const security = await run(
    stage,
    'systemd-analyze',
    'security',
    '--offline=true',
    `--threshold=${EXPOSURE_MAX}`,
    file,
  )
  expect(security.isOk, security.output).toBe(true)
})

describe('the kustomize base', () => {
  test('gives manifests of Kubernetes 1.30', { timeout: PATIENCE_MS }, async (context) => {
    const stage = openStage()
    await need(stage, context, 'kubectl', 'version', '--client')
    const { isOk, output, errors } = await run(stage, 'kubectl', 'kustomize', 'deploy/kubernetes')
    // Warnings about deprecated fields are errors.
    expect({ isOk, errors }).toEqual({ isOk: true, errors: '' })
    const manifests = readManifests(output)
    expect(kindsOf(manifests)).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ])
    expect(await checkManifests(stage, manifests)).toBe('')
    expectHardened(manifests)
  })
})

test('the overlay of docs/deploy/kubernetes.md sets the image and the host', async (context) => {
  const stage = openStage()
  await need(stage, context, 'kubectl', 'version', '--client')
  const folder = stage.folder('overlays')
  mkdirSync(join(folder, 'overlay'))
  symlinkSync(ROOT, join(folder, 'burgee'))
  const [, overlay = ''] =
    /```yaml\n(apiVersion: kustomize[\s\S]*?)```/.exec(readText('docs/deploy/kubernetes.md')) ?? []
  writeFileSync(join(folder, 'overlay', 'kustomization.yaml'), overlay)
  const made = await run(stage, 'kubectl', 'kustomize', join(folder, 'overlay'))
  expect(made).toMatchObject({ isOk: true, errors: '' })
  const manifests = readManifests(made.output)
  expect(manifests.find(({ kind }) => kind === 'Deployment')?.spec?.template).toMatchObject({
    spec: { containers: [{ image: 'registry.example.com/burgee:0.1.0' }] },
  })
  expect(manifests.find(({ kind }) => kind === 'Ingress')?.spec).toMatchObject({
    rules: [{ host: 'flags.example.com' }],
  })
})

describe('the Helm chart', () => {
  test('gives manifests of Kubernetes 1.30 for every values file', {
    timeout: PATIENCE_MS,
  }, async (context) => {
    const stage = openStage()
    const helm = await findHelm(stage)
    if ('missing' in helm) return skipBecause(context, helm.missing)
    const folder = stage.folder('values')
    const all: Manifest[] = []
    for (const [name, values] of Object.entries(VALUES)) {
      const file = join(folder, `${name}.json`)
      writeFileSync(file, JSON.stringify(values))
      const lint = await run(stage, helm.program, 'lint', '--strict', CHART, '--values', file)
      expect(lint.isOk, lint.output + lint.errors).toBe(true)
      const args = ['template', 'flags', CHART, '--kube-version', KUBERNETES, '--values', file]
      const { isOk, output, errors } = await run(stage, helm.program, ...args)
      expect(isOk, errors).toBe(true)
      const manifests = readManifests(output)
      expectHardened(manifests)
      all.push(...manifests)
    }
    expect([...new Set(kindsOf(all))]).toEqual([
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Secret',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
    ])
    expect(await checkManifests(stage, all)).toBe('')
    const ingress = all.find(({ kind }) => kind === 'Ingress')
    expect(ingress?.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
    })
    for (const [name, values] of Object.entries(REFUSED_VALUES)) {
      const file = join(folder, 'refused.json')
      writeFileSync(file, JSON.stringify(values))
      const args = ['template', 'flags', CHART, '--kube-version', KUBERNETES, '--values', file]
      expect((await run(stage, helm.program, ...args)).isOk, name).toBe(false)
    }
  })
})

test('the image builds, serves as an account without rights, and reports its health', {
  timeout: PATIENCE_MS,
}, async (context) => {
  const stage = openStage()
  await need(stage, context, 'buildah', '--version')
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

const kindsOf = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).sort()

/** Expects pods without rights, and probes at the endpoints for them. */
function expectHardened(manifests: readonly Manifest[]): void {
  const deployment = manifests.find(({ kind }) => kind === 'Deployment')
  expect(deployment?.spec?.template).toMatchObject({
    spec: {
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          livenessProbe: { httpGet: { path: '/health' } },
          readinessProbe: { httpGet: { path: '/ready' } },
        },
      ],
    },
  })
}
