/**
 * `npm run faults [-- names of rows]`: runs the fault suite at full scale, one row after another, and writes
 * docs/faults.md. `--page` runs nothing and adds missing rows to the page. With BURGEE_FAULTS_TIMES the
 * figures are printed and not written.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { addReports, readFaultPage, renderFaultPage } from './fault-page.mjs'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

const PAGE = join(ROOT, 'docs', 'faults.md')
const BYTES_PER_GB = 1024 ** 3
const MS_PER_SECOND = 1_000
/** The time after which a row is ended from here. The row itself fails after half an hour. */
const ROW_LIMIT_MS = 35 * 60 * MS_PER_SECOND
/** The report of a row that had to be ended. */
const LATE = {
  times: 'once',
  seen: '',
  broken: [`the run had not ended after ${ROW_LIMIT_MS / MS_PER_SECOND / 60} minutes`],
}

ensureInstalled()
const options = process.argv.slice(2)
const isPageOnly = options.includes('--page')
const names = options.filter((option) => !option.startsWith('--'))
const folder = mkdtempSync(join(tmpdir(), 'burgee-faults-'))
process.exitCode = (await main()) ? 0 : 1
rmSync(folder, { recursive: true })

/** Runs the rows; resolves with true when every promise was kept. */
async function main() {
  const rows = await listRows()
  const unknown = names.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) {
    console.error(
      `No such row: ${unknown.join(', ')}. There are: ${rows.map(({ name }) => name).join(', ')}.`,
    )
    return false
  }
  if (isPageOnly) {
    writePage(rows, [])
    return true
  }
  await ensureBuilt()
  const wanted = rows.filter(({ name }) => names.length === 0 || names.includes(name))
  let isKept = true
  for (const [index, row] of wanted.entries())
    isKept = (await runRow(row, rows, `[${index + 1}/${wanted.length}]`)) && isKept
  return isKept
}

/** Returns the rows of their modules. */
async function listRows() {
  const report = join(folder, 'rows')
  const { output, status } = await runVitest({ BURGEE_FAULTS_LIST: '1', BURGEE_FAULTS_REPORT: report }, [])
  if (status === 0) return readLines(report)
  console.error(output)
  process.exit(1)
}

/** Runs one row and writes its figures at once, so that an interrupted run keeps its results. */
async function runRow(row, rows, position) {
  process.stdout.write(`${position} ${row.name}: ${row.title} ...\n`)
  const started = performance.now()
  const report = join(folder, row.name)
  const env = { BURGEE_FULL: '1', BURGEE_FAULTS_REPORT: report }
  const { isLate, output, status } = await runVitest(env, ['-t', ` ${row.name}$`])
  const seconds = Math.round((performance.now() - started) / MS_PER_SECOND)
  const reports = existsSync(report) ? readLines(report) : []
  if (isLate) reports.push({ ...row, ...LATE })
  for (const { broken, seen, skipped, times } of reports) {
    const lines = skipped === undefined ? [`${times}: ${seen}`, ...broken.map((one) => `BROKEN: ${one}`)] : []
    for (const line of skipped === undefined ? lines : [`skipped: ${skipped}`]) console.log(`    ${line}`)
  }
  console.log(`    ${status === 0 ? 'kept' : 'FAILED'} in ${seconds} s`)
  if (status !== 0) console.error(output)
  if (process.env.BURGEE_FAULTS_TIMES === undefined) writePage(rows, reports)
  return status === 0
}

/**
 * Runs Vitest in its own process group, so that all of it ends when it is late or this run is interrupted.
 */
async function runVitest(env, args) {
  const child = spawn(bin('vitest'), ['run', '--project', 'e2e*', 'e2e/faults.full.test.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, BURGEE_TEST_SUITE: 'full', NO_COLOR: '1', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  let isLate = false
  const end = () => process.kill(-child.pid, 'SIGKILL')
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, ROW_LIMIT_MS)
  const interrupt = () => {
    end()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupt)
  const [status] = await once(child, 'close')
  clearTimeout(timer)
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt)
  return { isLate, output, status }
}

function writePage(rows, reports) {
  const page = readFaultPage(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '')
  const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)
  const machine = reports.length > 0 ? describeMachine(today) : page.machine
  writeFileSync(PAGE, renderFaultPage({ machine, rows: addReports(page, rows, reports, today) }))
}

function describeMachine(today) {
  const [core] = cpus()
  const memory = Math.round(totalmem() / BYTES_PER_GB)
  return `${today}, ${cpus().length} cores (${core?.model.trim()}), ${memory} GB, Linux ${release()}, Node.js ${process.versions.node}.`
}

function readLines(file) {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
