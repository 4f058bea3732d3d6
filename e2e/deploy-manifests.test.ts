import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkManifests, expectHardened, kindsOf, readManifests } from './deploy/check-manifests.ts'
import { ROOT, readText } from './deploy/root.ts'
import { needProgram, runHere } from './deploy/run-here.ts'
import { openStage } from './harness/open-stage.ts'

/** The greatest exposure of the unit, in tenths: systemd calls less than 4 OK. */
const EXPOSURE_MAX = 30

test('systemd accepts the unit, and its exposure is at most 3', async (context) => {
  const stage = openStage()
  await needProgram(stage, context, 'systemd-analyze', '--version')
  const file = join(stage.folder('unit'), 'burgee.service')
  // The program must exist on this machine.
  writeFileSync(file, readText('deploy/systemd/burgee.service').replace('/usr/bin/node', process.execPath))
  expect(await runHere(stage, 'systemd-analyze', 'verify', file)).toEqual({
    isOk: true,
    output: '',
    errors: '',
  })
  const security = await runHere(
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
  test('gives manifests of Kubernetes 1.30', async (context) => {
    const stage = openStage()
    await needProgram(stage, context, 'kubectl', 'version', '--client')
    const { isOk, output, errors } = await runHere(stage, 'kubectl', 'kustomize', 'deploy/kubernetes')
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

test('the overlay of docs/deploy/kubernetes.md sets the image, the address and the certificate', async (context) => {
  const stage = openStage()
  await needProgram(stage, context, 'kubectl', 'version', '--client')
  const folder = stage.folder('overlays')
  mkdirSync(join(folder, 'overlay'))
  symlinkSync(ROOT, join(folder, 'burgee'))
  const [, overlay = ''] =
    /```yaml\n(apiVersion: kustomize[\s\S]*?)```/.exec(readText('docs/deploy/kubernetes.md')) ?? []
  writeFileSync(join(folder, 'overlay', 'kustomization.yaml'), overlay)
  const made = await runHere(stage, 'kubectl', 'kustomize', join(folder, 'overlay'))
  expect(made).toMatchObject({ isOk: true, errors: '' })
  const manifests = readManifests(made.output)
  expect(manifests.find(({ kind }) => kind === 'Deployment')?.spec?.template).toMatchObject({
    spec: {
      containers: [
        {
          image: 'registry.example.com/burgee:0.1.0',
          env: expect.arrayContaining([{ name: 'PUBLIC_URL', value: 'https://flags.example.com' }]),
        },
      ],
    },
  })
  expect(manifests.find(({ kind }) => kind === 'Ingress')?.spec).toMatchObject({
    rules: [{ host: 'flags.example.com' }],
    ingressClassName: 'nginx',
    tls: [{ secretName: 'flags-tls' }],
  })
  expect(await checkManifests(stage, manifests)).toBe('')
})
