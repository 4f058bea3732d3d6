/** Fails when a bundle, with the evaluation, is larger than its budget. Run it after the build. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** Bytes after compression. The light bundle knows no extension of the evaluation, and the one of values evaluates nothing. */
const BUDGETS = { 'browser.min.js': 16_690, 'light.min.js': 11_190, 'values.min.js': 4000 }

for (const [name, budget] of Object.entries(BUDGETS)) {
  const bundle = readFileSync(new URL(`../dist/${name}`, import.meta.url))
  const gzipped = gzipSync(bundle, { level: 9 }).length
  process.stdout.write(`${name}: ${bundle.length} bytes, ${gzipped} gzipped, budget ${budget}\n`)
  if (gzipped > budget) process.exitCode = 1
}
