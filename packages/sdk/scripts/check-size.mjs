/** Fails when the browser bundle, with the evaluation, is larger than its budget. Run it after the build. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const BUDGET_BYTES = 7_700

const bundle = readFileSync(new URL('../dist/browser.min.js', import.meta.url))
const gzipped = gzipSync(bundle, { level: 9 }).length
process.stdout.write(`browser bundle: ${bundle.length} bytes, ${gzipped} gzipped, budget ${BUDGET_BYTES}\n`)
if (gzipped > BUDGET_BYTES) process.exitCode = 1
