import { CLASSES, type FlagReport, type ImportResult } from '@burgee/importers'

const MEANINGS = {
  exact: 'every user gets the value they got before',
  moved: 'the same rules and shares, other users',
  approximated: 'a note names the difference',
  skipped: 'not written',
} as const

/** Returns the number of flags of each class. */
export const countClasses = (flags: readonly FlagReport[]): (readonly [string, number])[] =>
  CLASSES.map((label) => [label, flags.filter((flag) => flag.class === label).length] as const)

/** Returns the report as a page in Markdown: what is not exact comes first. */
export function reportPage({ report: { flags, notes, system } }: ImportResult): string {
  const lines = [
    `# Import from ${system}`,
    '',
    '| class | flags | meaning |',
    '|---|---:|---|',
    ...CLASSES.map((label) => {
      const count = flags.filter((flag) => flag.class === label).length
      return `| ${label} | ${count} | ${MEANINGS[label]} |`
    }),
    ...CLASSES.toReversed().flatMap((label) => {
      const those = flags.filter((flag) => flag.class === label)
      return those.length === 0 ? [] : ['', `## ${label}`, '', ...those.flatMap(flagLines)]
    }),
    ...(notes.length === 0 ? [] : ['', '## Files and segments', '', ...notes.map(noteLine)]),
  ]
  return `${lines.join('\n')}\n`
}

const flagLines = ({ environment, key, notes }: FlagReport): string[] => [
  `- ${code(key)} (${escapeMarkup(environment)})`,
  ...notes.map((note) => `  ${noteLine(note)}`),
]

const noteLine = ({ code: name, message, path }: FlagReport['notes'][number]): string =>
  `- ${code(name)}${path === '' ? '' : ` ${code(path)}`}: ${escapeMarkup(message)}`

/** The texts come from the file: they are shown as they are, and never as markup. */
const escapeMarkup = (text: string): string => oneLine(text).replace(/[\\`*_{}[\]<>()#+!|]/g, '\\$&')

const code = (text: string): string => {
  const line = oneLine(text)
  const fence = '`'.repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length)) + 1)
  return /^`|`$|^ /.test(line) || line === '' ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')
