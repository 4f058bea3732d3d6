import { randomInt } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { AuditVerification } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createVerifyAudit } from '../../../src/governance/audit/verify-audit.ts'
import type { Database } from '../../../src/platform/db/tables.ts'
import { chainOf, fillChains } from '../../audit/fill-chains.ts'
import { KINDS, type StoredEntry, type Tampering, tamper } from '../../audit/tamper.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
/** `npm run full -- audit`: 10,000 entries, each of them tampered with 40 times. */
const CHAINS = IS_FULL ? 500 : 2 * KINDS.length
const ROWS = IS_FULL ? 20 : 6
const ROUNDS = IS_FULL ? 40 * ROWS : ROWS
const LARGE_ROWS = 1_000_000
const TIMEOUT_MS = 3_600_000

let database: TestDatabase
let entries: ReadonlyMap<string, readonly StoredEntry[]>

beforeAll(async () => {
  database = await createTestDatabase()
  await fillChains(database, { chains: CHAINS, rows: ROWS })
  entries = await readEntries()
}, TIMEOUT_MS)
afterAll(() => database.drop())

async function readEntries(): Promise<ReadonlyMap<string, readonly StoredEntry[]>> {
  const { rows } = await database.pool.query(
    `select id, chain, seq, json_build_object('flag_key', flag_key, 'actor_email', actor_email, 'action', action, 'chain', chain,
        'before_data', before_data::text, 'after_data', after_data::text, 'metadata', metadata::text,
        'project_id', project_id, 'environment_id', environment_id) as columns
      from audit_log order by seq`,
  )
  const found = rows.map((row) => ({ ...row, id: Number(row.id), seq: Number(row.seq) }) as StoredEntry)
  const byChain = new Map<string, StoredEntry[]>()
  for (const entry of found) byChain.set(entry.chain, [...(byChain.get(entry.chain) ?? []), entry])
  return byChain
}

const draw = (below: number): number => randomInt(below)

/** Runs statements with the rights of the owner and without triggers, looks, and undoes them. */
async function tampered<T>(
  statements: readonly string[],
  look: (tx: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const tx = await database.db.startTransaction().execute()
  try {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(`do $tamper$ begin ${statements.join(';\n')}; end $tamper$`).execute(tx)
    return await look(tx)
  } finally {
    await tx.rollback().execute()
  }
}

async function verify(db: Kysely<Database>, chain?: string): Promise<readonly AuditVerification[]> {
  const lines = await text(createVerifyAudit(db)(chain === undefined ? {} : { chain }))
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

const named = ({ first_bad }: AuditVerification, { ids, kind, seq }: Tampering): boolean => {
  if (first_bad === undefined) return false
  if (kind === 'genesis') return first_bad.problem === 'genesis'
  return first_bad.seq === seq || (first_bad.id !== null && ids.includes(first_bad.id))
}

it(
  'a flipped byte of any column, and a removed, added, moved or cut entry are named in every chain',
  async () => {
    expect((await verify(database.db)).filter(({ ok }) => !ok)).toEqual([])
    let done = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const plans = Array.from({ length: CHAINS }, (_, nth) => {
        const kind = KINDS[(nth + round) % KINDS.length] ?? ''
        return tamper(kind, entries.get(chainOf(nth)) ?? [], round % ROWS, draw)
      })
      const statements = plans.flatMap((plan) => plan.statements)
      const lines = await tampered(statements, verify)
      const byChain = new Map(lines.map((line) => [line.chain, line]))
      const unnamed = plans.filter((plan, nth) => {
        const line = byChain.get(chainOf(nth))
        return line === undefined || !named(line, plan)
      })
      expect(unnamed).toEqual([])
      done += plans.length
    }
    if (IS_FULL) report(`${done} tamperings with ${CHAINS * ROWS} entries, all named`)
  },
  TIMEOUT_MS,
)

it('a chain that was rewritten from a changed entry on fits itself, and not its anchor', async () => {
  const chain = chainOf(0)
  const [anchor] = await verify(database.db, chain)
  for (let seq = 1; seq <= ROWS; seq += 1) {
    const [line] = await tampered([rewriting(chain, seq)], (tx) => verify(tx, chain))
    expect(line).toMatchObject({ ok: true, head: { seq: anchor?.head.seq } })
    expect(line?.head.hash).not.toBe(anchor?.head.hash)
  }
})

const rewriting = (chain: string, seq: number): string => `
  declare e record; h bytea;
  begin
    select genesis into h from audit_chains where chain = '${chain}';
    update audit_log set actor_email = actor_email || 'x' where chain = '${chain}' and seq = ${seq};
    for e in select * from audit_log where chain = '${chain}' order by seq loop
      h := audit_hash(h, e.id, e.chain, e.seq, e.project_id, e.environment_id, e.flag_key, e.actor_email, e.action,
        e.before_data::text, e.after_data::text, e.metadata::text, e.created_at);
      update audit_log set hash = h where id = e.id;
    end loop;
    update audit_chains set head = h where chain = '${chain}';
  end`

if (IS_FULL) {
  it(
    'a million entries are verified',
    async () => {
      const large = await createTestDatabase()
      try {
        await fillChains(large, { chains: 1, rows: LARGE_ROWS })
        for (let run = 1; run <= 3; run += 1) {
          const start = performance.now()
          const [line] = await verify(large.db, chainOf(0))
          expect(line).toMatchObject({ ok: true, entries: LARGE_ROWS })
          report(`run ${run}: ${LARGE_ROWS} entries in ${((performance.now() - start) / 1000).toFixed(1)} s`)
        }
      } finally {
        await large.drop()
      }
    },
    TIMEOUT_MS,
  )
}

const report = (line: string): void => void process.stdout.write(`${line}\n`)
