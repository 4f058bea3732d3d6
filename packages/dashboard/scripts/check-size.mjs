/**
 * Fails when the code that a browser loads before it shows a page is larger than its budget. Run it after the
 * build.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const BUDGET_BYTES = 250_000

const publicDir = resolve(process.argv[2] ?? join(import.meta.dirname, '../../server/public'))
const page = readFileSync(join(publicDir, 'index.html'), 'utf8')
const gzippedSum = (ending) =>
  [...page.matchAll(/(?:src|href)="\.?\/([^"]+)"/g)]
    .map(([, file]) => file)
    .filter((file) => file.endsWith(ending))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(publicDir, file)), { level: 9 }).length, 0)

const code = gzippedSum('.js')
const styles = gzippedSum('.css')
process.stdout.write(`dashboard entry: ${code} gzipped, budget ${BUDGET_BYTES}; styles ${styles}\n`)
if (code === 0 || code > BUDGET_BYTES) process.exitCode = 1
