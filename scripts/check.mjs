/** `npm run check`: lint, types, import arrows, dead code, unit and integration tests. What it says here, CI says. */
import { bin, ensureBuilt, ensureInstalled, run } from './prepare.mjs'

ensureInstalled()
run(bin('biome'), ['check', '--error-on-warnings', '.'])
ensureBuilt()
run(process.execPath, ['packages/sdk/scripts/check-size.mjs'])
run(bin('tsc'), ['-p', 'tsconfig.tests.json'])
run(bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'packages', 'examples'])
run(bin('knip'), [])
run(bin('vitest'), ['run', '--project', 'unit', '--project', 'integration'])
