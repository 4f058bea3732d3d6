// Measures nanoseconds for each evaluation, of Burgee and of the published SDKs of other services, in one
// run. Usage: node bench/evaluation/run.mjs [--json FILE]
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { peersAreInstalled } from './load-peer.mjs'
import { measure } from './measure.mjs'
import { scenarios } from './scenarios.mjs'
import { verify } from './verify.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

run('npx', ['tsc', '-b', 'packages/evaluation'], root)
if (!peersAreInstalled())
  run('npm', ['ci', '--no-audit', '--no-fund'], fileURLToPath(new URL('../peers/', import.meta.url)))

const contestants = []
for (const name of ['burgee', 'burgee-sdk', 'launchdarkly', 'unleash', 'growthbook', 'flagd', 'flagsmith']) {
  const { createContestant } = await import(`./contestants/${name}.mjs`)
  const contestant = await createContestant()
  if (contestant !== null) contestants.push(contestant)
}

const results = []
for (const scenario of scenarios) {
  const able = contestants.filter(({ questions }) => questions[scenario.name] !== null)
  const turns = []
  for (const contestant of able) turns.push(await verify(contestant, scenario))
  const medians = await measure(turns)
  results.push({
    scenario: scenario.name,
    title: scenario.title,
    nanoseconds: Object.fromEntries(able.map(({ name }, index) => [name, medians[index]])),
  })
  process.stderr.write(`${scenario.title}: done\n`)
}
for (const { close } of contestants) await close()

const machine = `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}`
console.log(table())
const at = process.argv.indexOf('--json')
if (at !== -1) {
  const versions = Object.fromEntries(contestants.map(({ name, version }) => [name, version]))
  writeFileSync(process.argv[at + 1], `${JSON.stringify({ machine, versions, results }, null, 2)}\n`)
}
process.exit(0)

/** Formats nanoseconds, with the factor to Burgee in brackets. */
function table() {
  const heads = contestants.map(({ name, version }) => `${name} ${version}`)
  const rows = results.map(({ title, nanoseconds }) => {
    const own = nanoseconds.Burgee
    const cells = contestants.map(({ name }) => {
      const time = nanoseconds[name]
      if (time === undefined) return '-'
      return name === 'Burgee' ? time.toFixed(1) : `${time.toFixed(0)} (${(time / own).toFixed(1)}x)`
    })
    return `| ${title} | ${cells.join(' | ')} |`
  })
  const rule = `|---|${contestants.map(() => '---:').join('|')}|`
  return [
    `Nanoseconds per evaluation. ${machine}.`,
    '',
    `| Scenario | ${heads.join(' | ')} |`,
    rule,
    ...rows,
  ].join('\n')
}
