/**
 * `npm run bench [-- name ...] [--quick] [--json FILE]` measures Burgee and prints a Markdown table for each
 * bench, with goals. `-- compare <commit> [name ...]` prints ratios to an older build, and
 * `-- --write <name ...>` renews tables of docs/performance.md. Run `npm run build` before it.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { BENCHES } from './benches.mjs'
import { buildCommit, resolveCommit } from './compare/build-commit.mjs'
import { compareBuilds } from './compare/compare.mjs'
import { comparisonTable } from './compare/ratios.mjs'
import { ROOT, serverProgram } from './harness/paths.mjs'
import { markdownTable } from './harness/result-table.mjs'
import { runSections } from './harness/sections.mjs'
import { startPostgres } from './harness/start-postgres.mjs'
import { createServerStarter } from './harness/start-server.mjs'
import { parseCommand } from './parse-command.mjs'
import { calibrate } from './tables/calibrate.mjs'
import { describeTables, refuseWriting, replaceTables } from './tables/page-tables.mjs'

const PAGE = join(ROOT, 'docs', 'performance.md')
const BYTES_PER_GB = 1024 ** 3
const SHORT_COMMIT = 8

const command = parseCommand(process.argv.slice(2), Object.keys(BENCHES))
if (command.kind === 'refused') stopWith(command.reason)
if (!existsSync(serverProgram())) stopWith('The server is not built: run `npm run build` first.')
/** @type {[string, any][]} */
const benches = command.names.map((name) => [name, BENCHES[name]])
try {
  if (command.kind === 'compare') await compare(command)
  if (command.kind === 'run') await runAll(command)
  if (command.kind === 'write') await writeTables(command)
} catch (error) {
  stopWith(error.message)
}

/** Runs benches with one PostgreSQL, which ends with them. */
async function withPostgres(work) {
  const postgres = await startPostgres()
  // The servers end with their bench; PostgreSQL has a session of its own and would remain.
  const stop = () => postgres.close().finally(() => process.exit(1))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work(postgres, await describeMachine(postgres))
  } finally {
    await postgres.close()
  }
}

/** Creates what a bench gets: the database, the function that starts servers of a checkout, and how long. */
function contextOf(postgres, root, options) {
  return {
    ...{ postgres, root, startServer: createServerStarter(root), isComparison: false },
    progress: (what) => process.stderr.write(`${what} ...\n`),
    ...options,
  }
}

function runBench(bench, context) {
  return bench.run === undefined ? runSections(bench.sections(context), context) : bench.run(context)
}

function runAll({ json, quick }) {
  return withPostgres(async (postgres, machine) => {
    const results = []
    console.log(`\n${machine}\n`)
    for (const [name, bench] of benches) {
      process.stderr.write(`${name}\n`)
      const tables = await runBench(bench, contextOf(postgres, ROOT, { quick }))
      console.log(`### ${bench.title}\n\n${tables.map(markdownTable).join('\n\n')}\n`)
      results.push({ name, title: bench.title, tables })
    }
    if (json) await writeFile(json, `${JSON.stringify({ machine, results }, null, 2)}\n`)
  })
}

async function writeTables({ names }) {
  const refused = refuseWriting(await readFile(PAGE, 'utf8'), names, loadavg()[0])
  if (refused !== null) throw new Error(refused)
  await withPostgres(async (postgres) => {
    const day = new Date().toISOString().slice(0, 10)
    const source = describeTables({ commit: resolveCommit('HEAD'), day, ...(await calibrate(postgres)) })
    for (const [name, bench] of benches) {
      const tables = await runBench(bench, contextOf(postgres, ROOT, { quick: false }))
      // Each bench is written when it has ended, so that a later one that fails takes nothing with it.
      const page = replaceTables(await readFile(PAGE, 'utf8'), {
        name,
        tables: tables.map(markdownTable),
        source,
      })
      await writeFile(PAGE, page)
    }
  })
}

async function compare({ commit: wanted, json, rounds, windowMs }) {
  const commit = resolveCommit(wanted)
  const older = await buildCommit(commit, (what) => process.stderr.write(`${what} ...\n`))
  await withPostgres(async (postgres, machine) => {
    const options = { quick: true, isComparison: true }
    const { leftOut, results } = await compareBuilds({
      benches,
      ...{ rounds, windowMs },
      older: contextOf(postgres, older, options),
      newer: contextOf(postgres, ROOT, options),
    })
    console.log(`\n${machine}\n\n${comparisonTable(commit.slice(0, SHORT_COMMIT), results)}\n`)
    if (leftOut.length > 0) console.log(`Left out, because 20 minutes were over: ${leftOut.join('; ')}.`)
    if (json) await writeFile(json, `${JSON.stringify({ machine, commit, results, leftOut }, null, 2)}\n`)
  })
}

async function describeMachine(postgres) {
  const processors = cpus()
  const memory = Math.round(totalmem() / BYTES_PER_GB)
  const versions = `Node.js ${process.versions.node}, ${await postgres.version()} with fsync`
  const load = `load average ${loadavg()[0].toFixed(1)}`
  return `${processors.length} cores (${processors[0]?.model.trim()}), ${memory} GB, ${versions}, ${load}`
}

/** @returns {never} */
function stopWith(message) {
  console.error(message)
  process.exit(1)
}
