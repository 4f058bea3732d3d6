/** A stored entry, with its columns as texts. */
export interface StoredEntry {
  readonly id: number
  readonly chain: string
  readonly seq: number
  readonly columns: Readonly<Record<string, string | null>>
}

/** One change behind the back of the server: its statements, and where a verification has to find it. */
export interface Tampering {
  readonly kind: string
  readonly statements: readonly string[]
  readonly seq: number
  /** The ids that may be named instead of the number: that of the row, before and after. */
  readonly ids: readonly number[]
}

/** Returns a whole number from 0 to below its argument. */
export type Draw = (below: number) => number

const TEXTS = ['flag_key', 'actor_email', 'action', 'chain'] as const
const JSONS = ['before_data', 'after_data', 'metadata'] as const
const UUIDS = ['project_id', 'environment_id'] as const
const CHUNKS = ['before_chunks', 'after_chunks'] as const
const STRUCTURES = ['removed', 'copied', 'loose', 'swapped', 'cut', 'head', 'genesis'] as const

/** The ways to tamper: a byte of each column that a hash covers, and the order of the rows. */
export const KINDS: readonly string[] = [
  ...[...TEXTS, ...JSONS, ...UUIDS, ...CHUNKS, 'id', 'seq', 'created_at', 'hash'],
  ...STRUCTURES,
]

const HASH_BYTES = 32
const UUID_BYTES = 16
/** Far beyond every id of the test. */
const FREE_ID = 1_000_000_000

/** Tampers with one entry of a chain. */
export function tamper(kind: string, rows: readonly StoredEntry[], nth: number, draw: Draw): Tampering {
  const row = at(rows, nth)
  const { chain, id, seq } = row
  const of = (statement: string) => ({ kind, statements: [statement], seq, ids: [id] })
  const set = (expression: string) => of(`update audit_log set ${kind} = ${expression} where ${isRow(row)}`)
  const place = `chain = '${chain}'`
  switch (kind) {
    case 'id': {
      const statement = `update audit_log set id = ${id + FREE_ID} where ${isRow(row)}`
      return { ...of(statement), ids: [id, id + FREE_ID] }
    }
    case 'seq':
      return set(String(BigInt(seq) ^ (1n << BigInt(draw(40)))))
    case 'created_at':
      return set(`created_at + interval '${2 ** draw(30)} microseconds'`)
    case 'hash':
      return of(flipOf('audit_log', 'hash', isRow(row), draw))
    case 'removed':
      return of(`delete from audit_log where ${isRow(row)}`)
    case 'copied':
      return { ...of(copyOf(row, 'chain, seq, hash', 'chain, seq, hash')), ids: [id, id + FREE_ID] }
    case 'loose':
      return { ...of(copyOf(row, 'chain, seq, hash', 'null, null, null')), ids: [id + FREE_ID] }
    case 'swapped':
      return swapped(rows, nth, draw)
    case 'cut':
      return of(`delete from audit_log where ${place} and seq >= ${seq}`)
    case 'head':
      return { ...of(flipOf('audit_chains', 'head', place, draw)), ids: [at(rows, -1).id] }
    case 'genesis':
      return { ...of(flipOf('audit_chains', 'genesis', place, draw)), ids: [0] }
    default:
      return set(flipped(kind, row, draw))
  }
}

function at(rows: readonly StoredEntry[], nth: number): StoredEntry {
  const row = rows.at(nth)
  if (!row) throw new Error('no such row')
  return row
}

const isRow = ({ id }: StoredEntry): string => `id = ${id}`

/** Inserts a copy of a row under another id. */
const copyOf = ({ id }: StoredEntry, names: string, values: string): string =>
  `insert into audit_log (id, ${names}, project_id, environment_id, flag_key, actor_email, action, after_data, created_at)
    overriding system value
    select id + ${FREE_ID}, ${values}, project_id, environment_id, flag_key, actor_email, action, after_data, created_at
    from audit_log where id = ${id}`

/** Exchanges the places of two rows, with or without their hashes. */
function swapped(rows: readonly StoredEntry[], nth: number, draw: Draw): Tampering {
  const other = (nth + 1 + draw(rows.length - 1)) % rows.length
  const [a, b] = [at(rows, Math.min(nth, other)), at(rows, Math.max(nth, other))]
  const names = draw(2) === 0 ? ['seq'] : ['seq', 'hash']
  const statement = `update audit_log mine set (${names.join(', ')}) = (select ${names.join(', ')} from audit_log other
    where other.id = case mine.id when ${a.id} then ${b.id} else ${a.id} end) where mine.id in (${a.id}, ${b.id})`
  return { kind: 'swapped', statements: [statement], seq: a.seq, ids: [b.id] }
}

const flipOf = (table: string, column: string, condition: string, draw: Draw): string => {
  const byte = draw(HASH_BYTES)
  const flip = `set_byte(${column}, ${byte}, get_byte(${column}, ${byte}) # ${1 << draw(8)})`
  return `update ${table} set ${column} = ${flip} where ${condition}`
}

/** An expression with one bit of a column flipped, or with a value where there was none. */
function flipped(column: string, { columns }: StoredEntry, draw: Draw): string {
  const text = columns[column] ?? null
  if (isOneOf(CHUNKS, column)) return draw(2) === 0 ? "''::bytea" : `sha256('${draw(1000)}')`
  if (isOneOf(UUIDS, column)) {
    if (text === null) return 'gen_random_uuid()'
    const bytes = Buffer.from(text.replaceAll('-', ''), 'hex')
    flipBit(bytes, draw(UUID_BYTES), draw)
    return `'${bytes.toString('hex')}'::uuid`
  }
  const isJson = isOneOf(JSONS, column)
  if (text === null) return isJson ? "'null'::json" : "''"
  if (text === '') return "'x'"
  return `convert_from('\\x${flipText(text, isJson, draw)}', 'UTF8')${isJson ? '::json' : ''}`
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name)

/** Flips a bit so that the database still accepts the text. Returns it in hexadecimal. */
function flipText(text: string, isJson: boolean, draw: Draw): string {
  for (;;) {
    const bytes = Buffer.from(text)
    flipBit(bytes, draw(bytes.length), draw)
    if (isStorable(bytes, isJson)) return bytes.toString('hex')
  }
}

function flipBit(bytes: Buffer, nth: number, draw: Draw): void {
  bytes[nth] = (bytes[nth] ?? 0) ^ (1 << draw(8))
}

function isStorable(bytes: Buffer, isJson: boolean): boolean {
  if (bytes.includes(0)) return false
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (isJson) JSON.parse(text)
    return true
  } catch {
    return false
  }
}
