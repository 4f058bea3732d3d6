import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHART, REFUSED_VALUES, VALUES } from './deploy/chart-values.ts'
import {
  checkManifests,
  expectHardened,
  kindsOf,
  type Manifest,
  readManifests,
} from './deploy/check-manifests.ts'
import { findHelm } from './deploy/find-helm.ts'
import { runHere } from './deploy/run-here.ts'
import { openStage } from './harness/open-stage.ts'
import { skipBecause } from './harness/skip-because.ts'

/** Building helm takes some minutes on a busy machine with two cores, once. */
const PATIENCE_MS = 900_000
/** Helm checks this version against the chart's, without a cluster. */
const KUBERNETES = '1.30.0'

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
      const lint = await runHere(stage, helm.program, 'lint', '--strict', CHART, '--values', file)
      expect(lint.isOk, lint.output + lint.errors).toBe(true)
      const args = ['template', 'flags', CHART, '--kube-version', KUBERNETES, '--values', file]
      const { isOk, output, errors } = await runHere(stage, helm.program, ...args)
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
      expect((await runHere(stage, helm.program, ...args)).isOk, name).toBe(false)
    }
  })
})
