/**
 * `npm run check`: lint, formatting, types of every file, import arrows, dead code, names, words, sizes,
 * licenses and the contents of published packages, then the unit and integration tests. With `--static`, no
 * tests: CI runs this first and then all tests.
 */
import { bin, ensureBuilt, ensureInstalled, run, runTogether } from './prepare.mjs'

/** The projects that contain every file. A build checks libraries with their own settings, too. */
const TYPE_PROJECTS = [
  'packages/dashboard',
  'packages/dashboard/tsconfig.vite.json',
  'tsconfig.json',
  'tsconfig.scripts.json',
]

ensureInstalled()
await ensureBuilt()
const node = (...args) => [process.execPath, args]
await runTogether([
  // With the server, which it bundles: in their own settings, without the DOM.
  [bin('tsc'), ['-b', 'packages/cli']],
  ...TYPE_PROJECTS.map((project) => [bin('tsc'), ['-p', project]]),
  [bin('biome'), ['check', '--error-on-warnings', '.']],
  [bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'packages', 'examples']],
  [bin('depcruise'), ['--config', '.dependency-cruiser.offline.cjs', 'packages/server/src/offline.ts']],
  [bin('knip'), []],
  node('scripts/release-check.mjs', '--quick'),
  node('scripts/check-names.mjs'),
  node('scripts/check-tables.mjs'),
  node('scripts/check-functions.mjs'),
  node('scripts/count-words.mjs'),
  ...['sdk', 'react', 'devtools', 'dashboard'].map((name) => node(`packages/${name}/scripts/check-size.mjs`)),
])
if (!process.argv.includes('--static')) {
  run(bin('vitest'), ['run', '--project', 'unit', '--project', 'integration'])
}
