/** Checks each `package.json`: one version everywhere, and what a registry and its users need to know. */

import { findWorkspaces } from '../set-version.mjs'
import { publishedFolders, readManifest } from './published-packages.mjs'

/** Fields that are equal in the root and in each published package. */
const SHARED = ['version', 'license', 'bugs']
const REQUIRED = ['description', 'keywords', 'files', 'homepage', 'repository', 'publishConfig']

/** Returns problems with the manifests, one line each. */
export function checkManifests() {
  const root = readManifest('')
  return [
    ...findWorkspaces().flatMap((folder) => checkWorkspace(folder, root)),
    ...publishedFolders().flatMap((name) => checkPublished(`packages/${name}`, root)),
  ]
}

function checkWorkspace(folder, root) {
  const { dependencies, devDependencies, engines, license, peerDependencies, version } = readManifest(folder)
  const pins = [dependencies, devDependencies, peerDependencies].flatMap((needed) =>
    Object.entries(needed ?? {}),
  )
  return [
    ...(version === root.version ? [] : [`${folder} has version ${version} instead of ${root.version}`]),
    ...(license === root.license ? [] : [`${folder} has license ${license} instead of ${root.license}`]),
    ...(engines?.node === root.engines.node ? [] : [`${folder} needs engines.node ${root.engines.node}`]),
    ...pins
      .filter(([name, pin]) => name.startsWith('@burgee/') && pin !== root.version)
      .map(([name, pin]) => `${folder} depends on ${name} ${pin} instead of ${root.version}`),
  ]
}

function checkPublished(folder, root) {
  const manifest = readManifest(folder)
  return [
    ...REQUIRED.filter((field) => manifest[field] === undefined).map((field) => `${folder} lacks ${field}`),
    ...SHARED.filter((field) => manifest[field] !== root[field]).map(
      (field) => `${folder} has another ${field} than the root`,
    ),
    ...(manifest.repository?.directory === folder && manifest.repository?.url === root.repository.url
      ? []
      : [`${folder} needs repository.url ${root.repository.url} and repository.directory ${folder}`]),
    ...(manifest.publishConfig?.provenance === true ? [] : [`${folder} needs publishConfig.provenance`]),
  ]
}
