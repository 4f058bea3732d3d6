/**
 * `npm run bench [-- name ...] [--quick] [--json FILE]`: measures Burgee and prints a Markdown table for each
 * bench, with goals. Run `npm run build` before it. docs/performance.md explains the figures.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bin, run as runTool } from '../scripts/prepare.mjs'
import { dashboard } from './dashboard/load.mjs'
import { ROOT, serverFile } from './harness/paths.mjs'
import { markdownTable } from './harness/result-table.mjs'
import { startPostgres } from './harness/start-postgres.mjs'
import { importFlags } from './import/translate.mjs'
import { confirmations } from './server/confirmations.mjs'
import { evaluate } from './server/evaluate.mjs'
import { impact } from './server/impact.mjs'
import { ingest } from './server/ingest.mjs'
import { manyFlags } from './server/many-flags.mjs'
import { ofrep } from './server/ofrep.mjs'
import { openfeature } from './server/openfeature.mjs'
import { propagation } from './server/propagation.mjs'
import { snapshot } from './server/snapshot.mjs'
import { start } from './server/start.mjs'
import { streams } from './server/streams.mjs'
import { tenMillion } from './server/ten-million.mjs'
import { timeTravel } from './server/time-travel.mjs'
import { webhooks } from './server/webhooks.mjs'
import { writes } from './server/writes.mjs'
import { aaSimulation } from './statistics/aa-simulation.mjs'

const SERVER_BENCHES = {
  propagation,
  confirmations,
  streams,
  snapshot,
  ofrep,
  evaluate,
  'time-travel': timeTravel,
  impact,
  writes,
  webhooks,
  openfeature,
  'many-flags': manyFlags,
  ingest,
  'ten-million': tenMillion,
  start,
  statistics: aaSimulation,
  import: importFlags,
  dashboard,
}
/** The bench with its own process and output. */
const EVALUATION = 'evaluation'
const NAMES = [EVALUATION, ...Object.keys(SERVER_BENCHES)]
const BYTES_PER_GB = 1024 ** 3

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
})
const unknown = positionals.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) stopWith(`There is no bench ${unknown.join(', ')}; there are ${NAMES.join(', ')}.`)
if (!existsSync(serverFile('bundle/main.js'))) stopWith('The server is not built: run `npm run build` first.')

const wanted = positionals.length > 0 ? positionals : NAMES
if (wanted.includes(EVALUATION)) await runEvaluation()
const serverBenches = wanted.filter((name) => name !== EVALUATION)
if (serverBenches.length > 0) await runServerBenches(serverBenches)

async function runEvaluation() {
  for (const file of ['run.mjs', 'extensions.mjs', 'openfeature.mjs']) {
    const child = spawn(process.execPath, [join(ROOT, 'bench', 'evaluation', file)], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) stopWith('The bench of evaluation failed.')
  }
}

async function runServerBenches(names) {
  // Benches load parts of the server, which a build only bundles.
  runTool(bin('tsc'), ['-b', 'packages/server'])
  const postgres = await startPostgres()
  // The servers end with their bench; PostgreSQL has a session of its own and would remain.
  const stop = () => postgres.close().finally(() => process.exit(1))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const machine = await describeMachine(postgres)
  const results = []
  console.log(`\n${machine}\n`)
  try {
    for (const name of names) {
      const { run, title } = SERVER_BENCHES[name]
      const progress = (what) => process.stderr.write(`${name}: ${what} ...\n`)
      const tables = await run({ postgres, quick: options.quick, progress })
      console.log(`### ${title}\n\n${tables.map(markdownTable).join('\n\n')}\n`)
      results.push({ name, title, tables })
    }
  } finally {
    await postgres.close()
  }
  if (options.json) await writeFile(options.json, `${JSON.stringify({ machine, results }, null, 2)}\n`)
}

async function describeMachine(postgres) {
  const processors = cpus()
  const memory = Math.round(totalmem() / BYTES_PER_GB)
  const versions = `Node.js ${process.versions.node}, ${await postgres.version()} with fsync`
  return `${processors.length} cores (${processors[0]?.model.trim()}), ${memory} GB, ${versions}`
}

function stopWith(message) {
  console.error(message)
  process.exit(1)
}
