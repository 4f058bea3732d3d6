/**
 * `node scripts/count-words.mjs`: counts words and comments that CONTRIBUTING.md rules out, by part of the project,
 * and prints a table. It fails when a part that is free of them gets a new one. Part of `npm run check`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './prepare.mjs'

const COMMENT_COLUMNS = 110

/** The parts of the project. A file belongs to the first that matches. */
const PARTS = [
  { name: 'dashboard', pattern: /^(packages\/dashboard|e2e\/dashboard)\// },
  { name: 'tests', pattern: /^(e2e\/|packages\/[\w-]+\/test\/).*\.m?ts$/ },
  { name: 'sources', pattern: /^(packages|examples|scripts|bench)\/.*\.m?[jt]s$/ },
  { name: 'documents', pattern: /\.md$/ },
]
/** Generated files, a table with a column `nobody`, and the words that this script itself contains. */
const IGNORED = /THIRD-PARTY-NOTICES\.md$|\/authorization\/expected\.md$|\/count-words\.(?:mjs|test\.ts)$/

/**
 * Words of code and prose, as alternatives of a regular expression. `enforced` are the parts that must stay free of
 * them, `ceilings` the number that a part has: lower them when words go. `allowed` are uses with another
 * meaning, which do not count.
 */
const WORDS = [
  { name: 'tell', words: 'tell|tells|told|telling', enforced: ['sources', 'documents', 'tests'] },
  { name: 'judge', words: 'judge|judges|judged|judging', enforced: ['sources', 'documents', 'tests'] },
  {
    name: 'nobody, somebody',
    words: 'nobody|somebody|anybody|everybody',
    enforced: ['sources', 'documents'],
    // An account of Unix.
    allowed: /["'`]nobody["'`]|\/etc\/passwd/,
  },
  { name: 'whoever', words: 'whoever|whomever', enforced: ['sources', 'documents', 'tests', 'dashboard'] },
  { name: 'anew', words: 'anew', enforced: ['sources', 'documents', 'tests', 'dashboard'] },
  {
    name: 'mend',
    words: 'mend|mends|mended|mending',
    enforced: ['sources', 'documents', 'tests', 'dashboard'],
  },
  {
    name: 'is away',
    words: 'is away|are away|was away',
    enforced: ['sources', 'documents', 'tests', 'dashboard'],
  },
  {
    name: 'log in, log out',
    words:
      'log in|logs in|logged in|logging in|log out|logs out|logged out|logging out|log you in|logs you in|log them in|logs them in',
    enforced: ['sources', 'documents', 'tests', 'dashboard'],
    // Entries in a log, and words that people type.
    allowed: /\b(?:audit|change|the) log in\b|words: 'log out/i,
  },
  { name: 'but for', words: 'but for', enforced: ['sources', 'documents', 'tests', 'dashboard'] },
  // A verdict of stale flags is `ask`, and the condition of an invariant is stored as its `demand`.
  { name: 'ask', words: 'ask|asks|asked|asking', enforced: [], ceilings: { sources: 301, dashboard: 196 } },
  {
    name: 'demand',
    words: 'demand|demands|demanded|demanding',
    enforced: [],
    ceilings: { sources: 65, dashboard: 195 },
  },
  { name: 'say', words: 'say|says|said|saying', enforced: ['sources', 'dashboard'] },
  { name: 'stand', words: 'stands|stood', enforced: [] },
  {
    name: 'answer',
    words: 'answer|answers|answered|answering',
    enforced: ['sources', 'dashboard'],
  },
  {
    name: 'British spelling',
    words:
      'colours|coloured|honour|honours|favour|favours|neighbour|neighbours|labelled|labelling|centre|catalogue|analyse|analysed|organise|organised|normalise|normalised|serialise|serialised|initialise|optimise|recognise|utilisation|enrol|enrolment|acknowledgement|misspelt|licence',
    enforced: ['sources', 'documents', 'dashboard'],
    // Reasons of the API, and names of others.
    allowed: /second_factor_enrolment_required|aria-labelledby/,
  },
]

/** Findings of another kind: each returns the lines of a file that count. */
const PATTERNS = [
  {
    name: 'docstring without a subject',
    pattern: /^\s*(?:\/\*\*|\* ?) ?(?:What|Who|Whom|Whose|Where|How|Whether|Of)\b/,
    isFirst: true,
    enforced: ['sources', 'tests', 'dashboard'],
  },
  {
    name: `comment over ${COMMENT_COLUMNS} columns`,
    pattern: new RegExp(`^(?=.{${COMMENT_COLUMNS + 1}})\\s*(?:/\\*\\*|\\*|//(?! biome-ignore)) `),
    enforced: ['sources', 'tests', 'dashboard'],
  },
  {
    name: 'space before a percent sign',
    // Not a remainder of a division.
    pattern: /\d[ \u00a0]%(?!>| [A-Z(]| \w+ [=<>!?])|\}[ \u00a0]%(?! ?[\w(])|[>"'`] %(?=["'`<])/,
    enforced: ['sources', 'tests', 'documents', 'dashboard'],
  },
  {
    name: 'document outside the repository',
    pattern: /\b[Cc]ontract,? section \d|\b[Ss]pecification, "|\bthe specification\b/,
    enforced: ['sources', 'tests', 'documents', 'dashboard'],
  },
]

/** Finds what a text of a part contains: `{ name, line }` for each, with lines from 1. */
export function findWords(text) {
  const lines = text.split('\n')
  return [
    ...WORDS.flatMap(({ allowed, name, words }) => {
      const pattern = wordPattern(words)
      return lines.flatMap((line, index) =>
        allowed?.test(line) ? [] : [...line.matchAll(pattern)].map(() => ({ name, line: index + 1 })),
      )
    }),
    ...PATTERNS.flatMap(({ isFirst, name, pattern }) =>
      lines.flatMap((line, index) =>
        pattern.test(line) && (!isFirst || startsDocstring(lines, index)) ? [{ name, line: index + 1 }] : [],
      ),
    ),
  ]
}

/** Matches words in prose, and as parts of camelCase names. */
function wordPattern(words) {
  const parts = words
    .split('|')
    .filter((word) => !word.includes(' '))
    .map((word) => word[0].toUpperCase() + word.slice(1))
  const inName = parts.length === 0 ? '' : `|(?<=[a-z])(?:${parts.join('|')})(?![a-z])`
  return new RegExp(`\\b(?:${words})(?![a-z])|\\b(?:${capitalized(words)})(?![a-z])${inName}`, 'g')
}

const capitalized = (words) => words.replaceAll(/(^|\|)(\w)/g, (_, bar, letter) => bar + letter.toUpperCase())

const startsDocstring = (lines, index) =>
  lines[index].trimStart().startsWith('/**') || lines[index - 1]?.trim() === '/**'

function main() {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const problems = []
  for (const file of trackedFiles()) {
    const part = PARTS.find(({ pattern }) => pattern.test(file))
    if (!part) continue
    for (const { line, name } of findWords(readFileSync(join(ROOT, file), 'utf8'))) {
      const rule = [...WORDS, ...PATTERNS].find((each) => each.name === name)
      if (file.endsWith('.md') && PATTERNS.includes(rule) && !rule.enforced.includes('documents')) continue
      counts.set(`${name} ${part.name}`, (counts.get(`${name} ${part.name}`) ?? 0) + 1)
      if (rule.enforced.includes(part.name)) problems.push(`${file}:${line}: ${name}`)
    }
  }
  problems.push(...listOffCeilings(counts))
  printTable(counts)
  for (const problem of problems) console.error(problem)
  if (problems.length === 0) return
  console.error('CONTRIBUTING.md, rules 6 and 14: use the standard term, and name the subject first.')
  process.exitCode = 1
}

/** Lists the parts whose count of a word differs from its ceiling, which goes down with the count. */
function listOffCeilings(counts) {
  return WORDS.flatMap(({ ceilings = {}, name }) =>
    Object.entries(ceilings).flatMap(([part, most]) => {
      const count = counts.get(`${name} ${part}`) ?? 0
      if (count === most) return []
      const what = count < most ? `write ${count} as the ceiling` : 'remove some'
      return [`${name}: ${part} has ${count}, and the ceiling in scripts/count-words.mjs is ${most}: ${what}`]
    }),
  )
}

const trackedFiles = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && !IGNORED.test(file))

function printTable(counts) {
  const parts = PARTS.map(({ name }) => name)
  const rows = [...WORDS, ...PATTERNS].map(({ name }) => [
    name,
    ...parts.map((part) => String(counts.get(`${name} ${part}`) ?? 0)),
  ])
  const widths = ['', ...parts].map((head, at) => Math.max(head.length, ...rows.map((row) => row[at].length)))
  for (const row of [['', ...parts], ...rows]) {
    console.log(
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '),
    )
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
