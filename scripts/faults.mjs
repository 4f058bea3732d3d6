/**
 * `npm run faults [-- names of rows]`: runs the fault suite at full scale, one row after another, and writes docs/faults.md.
 * `--page` runs nothing and writes the rows that the page lacks. With BURGEE_FAULTS_TIMES the figures are printed and not written.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { addReports, readFaultPage, renderFaultPage } from './fault-page.mjs'
import { bin, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'

const PAGE = join(ROOT, 'docs', 'faults.md')
const BYTES_PER_GB = 1024 ** 3
const MS_PER_SECOND = 1_000

ensureInstalled()
const options = process.argv.slice(2)
const isPageOnly = options.includes('--page')
const names = options.filter((option) => !option.startsWith('--'))
const folder = mkdtempSync(join(tmpdir(), 'burgee-faults-'))
process.exitCode = main() ? 0 : 1
rmSync(folder, { recursive: true })

/** Whether every promise was kept. */
function main() {
  const rows = listRows()
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
  ensureBuilt()
  const wanted = rows.filter(({ name }) => names.length === 0 || names.includes(name))
  return wanted.map((row, index) => runRow(row, rows, `[${index + 1}/${wanted.length}]`)).every(Boolean)
}

/** The rows as their modules describe them. */
function listRows() {
  const report = join(folder, 'rows')
  const { status, stderr, stdout } = runVitest({ BURGEE_FAULTS_LIST: '1', BURGEE_FAULTS_REPORT: report }, [])
  if (status === 0) return readLines(report)
  console.error(stdout, stderr)
  process.exit(1)
}

/** Runs one row and writes its figures at once, so that a run that is interrupted keeps what it has. */
function runRow(row, rows, position) {
  process.stdout.write(`${position} ${row.name}: ${row.title} ...\n`)
  const started = performance.now()
  const report = join(folder, row.name)
  const env = { BURGEE_FULL: '1', BURGEE_FAULTS_REPORT: report }
  const { status, stderr, stdout } = runVitest(env, ['-t', ` ${row.name}$`])
  const seconds = Math.round((performance.now() - started) / MS_PER_SECOND)
  const reports = existsSync(report) ? readLines(report) : []
  for (const { broken, seen, skipped, times } of reports) {
    const lines = skipped === undefined ? [`${times}: ${seen}`, ...broken.map((one) => `BROKEN: ${one}`)] : []
    for (const line of skipped === undefined ? lines : [`skipped: ${skipped}`]) console.log(`    ${line}`)
  }
  console.log(`    ${status === 0 ? 'kept' : 'FAILED'} in ${seconds} s`)
  if (status !== 0) console.error(stdout, stderr)
  if (process.env.BURGEE_FAULTS_TIMES === undefined) writePage(rows, reports)
  return status === 0
}

function runVitest(env, args) {
  return spawnSync(bin('vitest'), ['run', '--project', 'e2e', 'e2e/faults.test.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    env: { ...process.env, NO_COLOR: '1', ...env },
    shell: process.platform === 'win32',
  })
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
