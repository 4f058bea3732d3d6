import { join } from 'node:path'
import { bin, run } from '../../scripts/prepare.mjs'
import { ROOT } from './paths.mjs'

/**
 * Loads compiled modules of the server, which a build only bundles. Those of another checkout have other
 * places: they are not loaded.
 */
export function loadServerModules(root, paths) {
  if (root !== ROOT) throw new Error('this bench calls modules of the server, which differ between versions')
  run(bin('tsc'), ['-b', 'packages/server'])
  return Promise.all(paths.map((path) => import(join(ROOT, 'packages', 'server', 'dist', path))))
}
