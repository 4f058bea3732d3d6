/**
 * The text of docs/faults.md: written from the rows of e2e/faults and their reports, and read back to keep
 * earlier figures.
 */

const GROUPS = {
  connections: 'Connections',
  bodies: 'Bodies',
  reports: 'Reports',
  reads: 'Reads',
  credentials: 'Credentials',
  crashes: 'Crashes',
  dependencies: 'Database, Redis, disk and clock',
}
const NOT_RUN = 'not run yet'
const MACHINE_LABEL = 'Last run: '

const INTRODUCTION = `# Faults and attacks

Each row below describes a fault or an attack, and what the server promises meanwhile. The suite runs the built server
as a process of its own and attacks it from outside. A row that kept its promise has only figures under "result". A part
of a promise that was not kept is marked **broken**. Each figure is from one run on one machine, on the date beside the
number of runs.

The tests run a short form of every row (\`npm run test:full\`). The figures are those of the full form. The page is
generated: titles and promises come from \`e2e/faults/rows\`, and a test compares them.
`

const COMMAND = `## Run it

A full run takes about an hour on two cores and needs Linux. It uses \`redis-server\` if it is installed. Some rows need
root.

\`\`\`sh
npm run faults                          # every row; writes this page
npm run faults -- server-kills          # one row, or several by name
npm run faults -- --page                # runs nothing; updates titles and promises
BURGEE_FAULTS_TIMES=20 npm run faults   # fewer runs (or seconds) a row; prints the figures only
\`\`\`
`

/** Renders the page. Rows are in the order of their groups, and by name within a group. */
export function renderFaultPage({ machine, rows }) {
  const tables = Object.entries(GROUPS).flatMap(([group, heading]) => {
    const own = rows
      .filter((row) => row.group === group)
      .sort((left, right) => compare(left.name, right.name))
    return own.length === 0 ? [] : [`## ${heading}\n\n${TABLE_HEAD}\n${own.map(renderRow).join('\n')}\n`]
  })
  const about = machine === '' ? [] : [`${MACHINE_LABEL}${machine}\n`]
  return [INTRODUCTION, ...about, ...tables, COMMAND].join('\n')
}

const TABLE_HEAD = '| row | fault or attack | promise | runs | result |\n|---|---|---|---|---|'

function renderRow({ date, name, promise, seen, times, title }) {
  const count = times === '' ? NOT_RUN : `${times} (${date})`
  return `| ${[`\`${name}\``, title, promise, count, seen].map(toCell).join(' | ')} |`
}

/** Parses the present page. Lines that are not rows of a table are skipped. */
export function readFaultPage(text) {
  let group = ''
  let machine = ''
  const rows = []
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) group = groupOf(line.slice('## '.length))
    if (line.startsWith(MACHINE_LABEL)) machine = line.slice(MACHINE_LABEL.length)
    const cells = fromCells(line)
    if (cells === null) continue
    const [name, title, promise, count, seen] = cells
    const [, times = '', date = ''] = /^(.*) \((\d{4}-\d\d-\d\d)\)$/.exec(count) ?? []
    rows.push({ name: name.slice(1, -1), group, title, promise, times, seen, date })
  }
  return { machine, rows }
}

const groupOf = (heading) => Object.entries(GROUPS).find(([, known]) => known === heading)?.[0] ?? ''

/** Returns every row, with its reported figures, or otherwise with those of the page. */
export function addReports(page, rows, reports, date) {
  return rows.map(({ group, name, promise, title }) => {
    const report = reports.findLast((one) => one.name === name)
    const known = page.rows.find((row) => row.name === name) ?? { times: '', seen: '', date: '' }
    if (!report || report.skipped !== undefined) {
      const skipped = report?.skipped !== undefined && known.times === ''
      const seen = skipped ? `not possible here: ${report.skipped}` : known.seen
      return { name, group, title, promise, times: known.times, seen, date: known.date }
    }
    const broken = report.broken.map((sentence) => `**broken:** ${sentence}`)
    const seen = [report.seen, ...broken].filter((part) => part !== '').join('; ')
    return { name, group, title, promise, times: report.times, seen, date }
  })
}

const toCell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()

/**
 * Parses the five cells of a row; null for other lines. A name in backticks distinguishes a row from a
 * table's head.
 */
function fromCells(line) {
  if (!line.startsWith('| `')) return null
  const cells = line
    .slice(2, -2)
    .split(' | ')
    .map((cell) => cell.replaceAll('\\|', '|').trim())
  return cells.length === 5 ? cells : null
}

const compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0)
