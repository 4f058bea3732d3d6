import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const folder = new URL('../peers/', import.meta.url)
const require = createRequire(new URL('package.json', folder))

/** Loads a module of a package installed in bench/peers. */
export function loadPeer(specifier) {
  return require(specifier)
}

/** Loads a file of a package installed in bench/peers, bypassing the package's exports. */
export function loadPeerFile(path) {
  return import(pathToFileURL(new URL(`node_modules/${path}`, folder).pathname).href)
}

export function peerVersion(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, folder), 'utf8')).version
}

export function peersAreInstalled() {
  return existsSync(new URL('node_modules', folder))
}
