/** `npm run check`: lint, types, import arrows, dead code, unit and integration tests. What it says here, CI says. */
import { bin, ensureBuilt, ensureInstalled, run } from './prepare.mjs'

ensureInstalled()
run(bin('biome'), ['check', '--error-on-warnings', '.'])
ensureBuilt()
run(process.execPath, ['packages/sdk/scripts/check-size.mjs'])
run(process.execPath, ['packages/dashboard/scripts/check-size.mjs'])
for (const project of [
  'packages/dashboard',
  'packages/dashboard/tsconfig.vite.json',
  'tsconfig.tests.json',
]) {
  run(bin('tsc'), ['-p', project])
}
run(bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'packages', 'examples'])
run(bin('knip'), [])
run(bin('vitest'), ['run', '--project', 'unit', '--project', 'integration'])
