import { loadServerModules } from '../harness/load-server-modules.mjs'
import { figure } from '../harness/result-table.mjs'

const FLAGS = 10_000
const QUICK_FLAGS = 1_000
/** The goal for 10,000 flags, in seconds of processor time. */
const GOAL = { atMost: 2 }
const US_PER_S = 1e6
const BYTES_PER_MB = 1e6

/** Measures the processor time of an import of flags of GO Feature Flag, report and response included. */
async function run({ progress, quick, root }) {
  const [{ translateFiles }] = await loadServerModules(root, ['governance/import/translate-files.js'])
  const flags = createFlags(quick ? QUICK_FLAGS : FLAGS)
  const files = { YAML: toYaml(flags), JSON: JSON.stringify(flags) }
  const rows = Object.entries(files).map(([format, content]) => {
    progress(`${format}, ${Object.keys(flags).length} flags`)
    const before = process.cpuUsage()
    const { kind } = translateFiles({
      ...{ system: 'goff', nowMs: Date.now() },
      files: [{ name: `flags.${format.toLowerCase()}`, content }],
    })
    const { system, user } = process.cpuUsage(before)
    if (kind !== 'done') throw new Error(`The import was ${kind}.`)
    return [
      format,
      figure(Buffer.byteLength(content) / BYTES_PER_MB, 'MB'),
      figure((user + system) / US_PER_S, 's', GOAL),
    ]
  })
  return [{ columns: [`An import of ${Object.keys(flags).length} flags`, 'size', 'processor time'], rows }]
}

const createFlags = (count) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `flag-number-${index}`,
      {
        variations: { enabled: true, disabled: false },
        targeting: [{ name: 'first rule', query: `plan eq "pro-${index}"`, variation: 'enabled' }],
        defaultRule: { percentage: { enabled: 10, disabled: 90 } },
      },
    ]),
  )

/** Writes the flags as people do: one value on a line. */
const toYaml = (flags) =>
  Object.entries(flags)
    .map(
      ([
        key,
        {
          defaultRule,
          targeting: [rule],
          variations,
        },
      ]) => `${key}:
  variations:
    enabled: ${variations.enabled}
    disabled: ${variations.disabled}
  targeting:
    - name: ${rule.name}
      query: ${rule.query}
      variation: ${rule.variation}
  defaultRule:
    percentage:
      enabled: ${defaultRule.percentage.enabled}
      disabled: ${defaultRule.percentage.disabled}
`,
    )
    .join('')

export const importFlags = { title: 'Import', run }
