/** Fails when the hooks, without React and the SDK, are larger than their budget. Run it after the build. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** Bytes after compression. */
const BUDGET = 1_500

const bundle = readFileSync(new URL('../dist/index.min.js', import.meta.url))
const gzipped = gzipSync(bundle, { level: 9 }).length
process.stdout.write(`react: ${bundle.length} bytes, ${gzipped} gzipped, budget ${BUDGET}\n`)
if (gzipped > BUDGET) process.exitCode = 1
