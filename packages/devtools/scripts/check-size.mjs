/** Fails when the panel is larger than its budget. Run it after the build. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** Bytes after compression. */
const BUDGET = 4_500

const bundle = readFileSync(new URL('../dist/index.min.js', import.meta.url))
const gzipped = gzipSync(bundle, { level: 9 }).length
process.stdout.write(`devtools: ${bundle.length} bytes, ${gzipped} gzipped, budget ${BUDGET}\n`)
if (gzipped > BUDGET) process.exitCode = 1
