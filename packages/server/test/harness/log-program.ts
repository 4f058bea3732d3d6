import { openStandardOutput } from '../../src/platform/log/log-destination.ts'

/**
 * A program that logs more than a socket and the queue take, and reports on standard error that it got to the
 * end, and to its next turn.
 */
const LINES = 3_000
const log = openStandardOutput()
for (let count = 0; count < LINES; count += 1) log.write(`${'x'.repeat(1_023)}\n`)
process.stderr.write('logged\n')
setImmediate(() => process.stderr.write('next turn\n'))
process.stdin.resume()
