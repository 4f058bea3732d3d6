/** Writes the software bill of materials of what is shipped, from `npm sbom` (CycloneDX 1.5). */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ROOT } from '../prepare.mjs'

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** Writes the SBOM to the file, and returns problems, one line each. */
export function writeSbom(file, shipped) {
  const { status, stderr, stdout } = spawnSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--loglevel=error'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT_BYTES,
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0) return [`npm sbom failed: ${stderr.trim()}`]
  const sbom = JSON.parse(stdout)
  // npm names it after the folder of the checkout.
  sbom.metadata.component.name = 'burgee'
  const installed = new Map(sbom.components.map((component) => [keyOf(component), component]))
  sbom.components = shipped.map((found) => withoutAddress(installed.get(keyOf(found)) ?? fromLockfile(found)))
  const kept = new Set(sbom.components.map((component) => component['bom-ref']))
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ dependsOn, ref }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
  return sbom.components
    .filter(({ hashes }) => hashes === undefined || hashes.length === 0)
    .map((component) => `the SBOM has no hash of ${keyOf(component)}`)
}

const keyOf = ({ name, version }) => `${name}@${version}`

/** Removes the download address: it describes this machine, not the package. */
function withoutAddress({ externalReferences = [], ...component }) {
  return {
    ...component,
    externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
  }
}

/** Describes a package of another platform, which is not installed here. */
function fromLockfile({ integrity, license, name, version }) {
  const [, algorithm = '', digest = ''] = /^sha(\d+)-(.*)$/.exec(integrity ?? '') ?? []
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'optional',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes:
      digest === ''
        ? []
        : [{ alg: `SHA-${algorithm}`, content: Buffer.from(digest, 'base64').toString('hex') }],
    licenses: [{ license: { id: license } }],
  }
}
