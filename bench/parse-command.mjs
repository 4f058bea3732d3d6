import { parseArgs } from 'node:util'

export const DEFAULT_WINDOW_MS = 3_000
export const DEFAULT_ROUNDS = 3
/** The benches that a comparison runs when none is named. */
export const COMPARED = [
  'writes',
  'ingest',
  'propagation',
  'streams',
  'start',
  'snapshot',
  'ofrep',
  'evaluation',
]
const MS_PER_SECOND = 1000

/**
 * Reads the arguments of `npm run bench`: `{ kind: 'run' | 'write' | 'compare', names, ... }`, or a sentence
 * about what is wrong, `{ kind: 'refused', reason }`.
 * @returns {any}
 */
export function parseCommand(args, known) {
  let parsed
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  } catch ({ message }) {
    return refuse(message)
  }
  const { positionals, values: options } = parsed
  const isComparison = positionals[0] === 'compare'
  const [commit, ...compared] = positionals.slice(1)
  const names = isComparison ? compared : positionals
  const unknown = names.filter((name) => !known.includes(name))
  if (isComparison && commit === undefined)
    return refuse('Name a commit: npm run bench -- compare <commit> [name ...]')
  if (unknown.length > 0)
    return refuse(`There is no bench ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  if (!isComparison && (options.window !== undefined || options.rounds !== undefined))
    return refuse('--window and --rounds belong to compare.')
  if (options.write) return parseWrite(names, { ...options, isComparison })
  if (isComparison) return parseComparison(commit, names, options)
  return { kind: 'run', names: names.length > 0 ? names : known, quick: options.quick, json: options.json }
}

const OPTIONS = /** @type {const} */ ({
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
  write: { type: 'boolean', default: false },
  window: { type: 'string' },
  rounds: { type: 'string' },
})

function parseWrite(names, { isComparison, quick }) {
  if (isComparison || quick) return refuse('--write belongs to whole runs, without compare and --quick.')
  if (names.length === 0) return refuse('Name the benches whose tables are written: --write <name ...>')
  return { kind: 'write', names }
}

function parseComparison(commit, names, { json, rounds, window }) {
  const windowMs = window === undefined ? DEFAULT_WINDOW_MS : Number(window) * MS_PER_SECOND
  const count = rounds === undefined ? DEFAULT_ROUNDS : Number(rounds)
  if (!(windowMs > 0)) return refuse('--window is a number of seconds above 0.')
  if (!Number.isInteger(count) || count < 1) return refuse('--rounds is a whole number of at least 1.')
  const wanted = names.length > 0 ? names : COMPARED
  return { kind: 'compare', commit, names: wanted, windowMs, rounds: count, json }
}

const refuse = (reason) => ({ kind: 'refused', reason })
