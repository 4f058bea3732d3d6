/**
 * `npm run check`: lint, formatting, types of every file, import arrows, dead code, names, words, sizes,
 * licenses and the contents of published packages, then the unit and integration tests. With `--static`, no
 * tests: CI runs this first and then all tests.
 */
import { bin, ensureBuilt, ensureInstalled, run } from './prepare.mjs'

/** The projects that contain every file. The packages' own sources are checked when they are built. */
const TYPE_PROJECTS = [
  'packages/dashboard',
  'packages/dashboard/tsconfig.vite.json',
  'tsconfig.json',
  'tsconfig.scripts.json',
]

ensureInstalled()
run(bin('biome'), ['check', '--error-on-warnings', '.'])
ensureBuilt()
run(process.execPath, ['packages/sdk/scripts/check-size.mjs'])
run(process.execPath, ['packages/react/scripts/check-size.mjs'])
run(process.execPath, ['packages/devtools/scripts/check-size.mjs'])
run(process.execPath, ['packages/dashboard/scripts/check-size.mjs'])
for (const project of TYPE_PROJECTS) run(bin('tsc'), ['-p', project])
run(bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'packages', 'examples'])
run(bin('knip'), [])
run(process.execPath, ['scripts/check-names.mjs'])
run(process.execPath, ['scripts/count-words.mjs'])
run(process.execPath, ['scripts/release-check.mjs', '--quick'])
if (!process.argv.includes('--static')) {
  run(bin('vitest'), ['run', '--project', 'unit', '--project', 'integration'])
}
