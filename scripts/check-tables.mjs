/**
 * Checks who writes and reads each table of the server. The only writer of a table is its owner, named in
 * `packages/server/src/platform/db/table-owners.ts`, and rooms that it shares columns with. Reads run down
 * the layers; among domains of one level, `insight` stands above the others. Exceptions are rows of
 * `UPWARD_READS`, with a reason. What functions and triggers of the database do is not seen. Part of `npm run
 * check`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { ROOT } from './prepare.mjs'
import { findAccesses } from './table-accesses.mjs'

const { DOMAINS, LAYERS } = createRequire(import.meta.url)('./server-layers.cjs')

const SOURCE = join(ROOT, 'packages/server/src')
const UPWARD_READS_MAX = 5

/** The files that read a table of a room above or beside theirs. */
const UPWARD_READS = [
  {
    file: 'changes/record-queries.ts',
    table: 'webhooks',
    reason:
      'The statement of a write, under the lock of its environment, sees a receiver that is being added.',
  },
  {
    file: 'changes/record-queries.ts',
    table: 'integrations',
    reason:
      'The statement of a write, under the lock of its environment, sees a receiver that is being added.',
  },
  {
    file: 'structure/environments/queries.ts',
    table: 'invariants',
    reason: 'A new environment has the invariants of its project from its first row on.',
  },
  {
    file: 'reporting/seen-users/queries.ts',
    table: 'change_requests',
    reason: 'Attributes that only a waiting rule names are kept for its impact.',
  },
  {
    file: 'reporting/goal-events/queries.ts',
    table: 'experiments',
    reason: 'A key that an experiment names is no unknown name, in the statement that stores it.',
  },
]

/**
 * @typedef {string | { room: string, columns: Record<string, string[] | 'all'> }} Owner
 * @typedef {{ file: string, table: string, reason: string }} UpwardRead
 */

/** @returns {Record<string, Owner>} */
export function readOwners() {
  const path = join(SOURCE, 'platform/db/table-owners.ts')
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  /** @type {Record<string, Owner> | null} */
  let owners = null
  source.forEachChild((statement) => {
    if (!ts.isVariableStatement(statement)) return
    const [declared] = statement.declarationList.declarations
    if (declared?.initializer) owners = readValue(declared.initializer)
  })
  if (owners === null) throw new Error(`${path} declares no owners`)
  return owners
}

/**
 * @param {ts.Expression} node
 * @returns {any}
 */
function readValue(node) {
  if (ts.isStringLiteral(node)) return node.text
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(readValue)
  if (!ts.isObjectLiteralExpression(node)) throw new Error('owners are texts, lists and objects')
  return Object.fromEntries(
    node.properties.map((property) => {
      if (!ts.isPropertyAssignment(property)) throw new Error('owners are plain properties')
      const { name } = property
      if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) throw new Error('owners have plain names')
      return [name.text, readValue(property.initializer)]
    }),
  )
}

/**
 * Returns what is wrong with the accesses of one file.
 * @param {string} file Relative to the sources of the server.
 * @param {string} text
 * @param {Record<string, Owner>} owners
 * @param {(read: { file: string, table: string }) => boolean} isExcepted
 */
export function findForeignAccesses(file, text, owners, isExcepted) {
  const room = roomOf(file)
  return findAccesses(text, new Set(Object.keys(owners))).flatMap((access) => {
    const { columns: changed, kind, line, table } = access
    const owner = owners[table] ?? ''
    const { columns = {}, room: ownerRoom } = typeof owner === 'string' ? { room: owner } : owner
    if (isWithin(room, ownerRoom) || isComposed(room, ownerRoom)) return []
    const shared = columns[room]
    const place = `packages/server/src/${file}:${line}`
    if (kind === 'read') {
      const isAllowed = shared !== undefined || isBelow(ownerRoom, room) || isExcepted({ file, table })
      return isAllowed ? [] : [`${place}: reads ${table} of ${ownerRoom}, which is not below ${room}`]
    }
    const isShared =
      shared === 'all' || (kind === 'update' && shared && changed?.every((column) => shared.includes(column)))
    return isShared ? [] : [`${place}: writes ${table}, whose owner is ${ownerRoom}. Call a function of it`]
  })
}

/** @param {string} file */
function roomOf(file) {
  const [layer = '', room = ''] = file.split('/')
  return DOMAINS.includes(layer) && !room.endsWith('.ts') ? `${layer}/${room}` : layer
}

/** @type {(room: string, owner: string) => boolean} */
const isWithin = (room, owner) => room === owner || room.startsWith(`${owner}/`)

/**
 * Tests the `compose.ts` of a domain, which lists what its rooms look up and prune.
 * @param {string} room
 * @param {string} owner
 */
const isComposed = (room, owner) => DOMAINS.includes(room) && owner.startsWith(`${room}/`)

/**
 * Rooms of one domain read each other's tables.
 * @param {string} lower
 * @param {string} upper
 */
function isBelow(lower, upper) {
  const [below = '', above = ''] = [lower, upper].map((room) => room.split('/')[0] ?? '')
  return below === above || heightOf(below) < heightOf(above)
}

/** @param {string} layer */
const heightOf = (layer) =>
  LAYERS.findIndex((/** @type {string[]} */ entries) => entries.includes(layer)) +
  (layer === 'insight' ? 0.5 : 0)

/**
 * @param {string} folder
 * @returns {string[]}
 */
const filesBelow = (folder) =>
  readdirSync(join(SOURCE, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesBelow(path)
    return path.endsWith('.ts') ? [path] : []
  })

/**
 * Collects which exceptions are used.
 * @param {readonly UpwardRead[]} rows
 */
export function createExceptions(rows) {
  /** @type {Set<UpwardRead>} */
  const used = new Set()
  return {
    isExcepted(/** @type {{ file: string, table: string }} */ { file, table }) {
      const row = rows.find((one) => one.file === file && one.table === table)
      if (row) used.add(row)
      return row !== undefined
    },
    listUnused: () => rows.filter((row) => !used.has(row)),
  }
}

function checkAll() {
  const owners = readOwners()
  const { isExcepted, listUnused } = createExceptions(UPWARD_READS)
  const wrong = filesBelow('').flatMap((file) =>
    findForeignAccesses(file, readFileSync(join(SOURCE, file), 'utf8'), owners, isExcepted),
  )
  for (const [table, owner] of Object.entries(owners)) {
    const rooms = typeof owner === 'string' ? [owner] : [owner.room, ...Object.keys(owner.columns)]
    for (const room of rooms.filter((one) => !existsSync(join(SOURCE, one))))
      wrong.push(`${table} belongs to ${room}, which does not exist`)
  }
  for (const { file, table } of listUnused())
    wrong.push(`${file} does not read ${table} any more: remove the exception`)
  if (UPWARD_READS.length > UPWARD_READS_MAX) wrong.push(`more than ${UPWARD_READS_MAX} exceptions`)
  return wrong
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const wrong = checkAll()
  for (const line of wrong) console.error(line)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
