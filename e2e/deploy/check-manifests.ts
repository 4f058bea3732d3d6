import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { Stage } from '../harness/open-stage.ts'
import { runCommand } from '../harness/run-language.ts'
import { ROOT } from './root.ts'

/** A manifest of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly spec?: Readonly<Record<string, unknown>>
}

/** Returns the manifests of a YAML stream. */
export const readManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    const value: Manifest | null = 'toJS' in document ? document.toJS() : null
    return value === null ? [] : [value]
  })

/** Kinds that are no part of Kubernetes itself. */
const FOREIGN = ['monitoring.coreos.com/v1']

const OPTIONS = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', '']

/** Returns the errors in manifests by the types of Kubernetes 1.30: empty when all are right. */
export async function checkManifests(stage: Stage, manifests: readonly Manifest[]): Promise<string> {
  const folder = stage.folder('manifests')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const known = manifests.filter(({ apiVersion }) => !FOREIGN.includes(apiVersion))
  const program = known.map(
    (manifest, index) =>
      `const m${index}: import(${JSON.stringify(moduleOf(manifest))}).${manifest.kind} = ${JSON.stringify(manifest, null, 1)}`,
  )
  writeFileSync(join(folder, 'manifests.ts'), `${program.join('\n')}\nexport {}\n`)
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc')
  const { isOk, output, errors } = await runCommand(stage, {
    program: compiler,
    args: [...OPTIONS, 'manifests.ts'],
    cwd: folder,
  })
  return isOk ? '' : `${output}${errors}`
}

/** `apps/v1` and `networking.k8s.io/v1` are modules by their first part; `v1` is `core/v1`. */
function moduleOf({ apiVersion }: Manifest): string {
  const [group = '', version] = apiVersion.split('/')
  return `kubernetes-types/${version === undefined ? `core/${group}` : `${group.split('.')[0]}/${version}`}`
}

/** Returns the kinds of manifests, sorted. */
export const kindsOf = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).sort()

/** Expects pods without rights, and probes at the endpoints for them. */
export function expectHardened(manifests: readonly Manifest[]): void {
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
