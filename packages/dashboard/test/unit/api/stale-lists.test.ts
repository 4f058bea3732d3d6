import { type Endpoint, endpoints } from '@burgee/contract'
import { expect, test } from 'vitest'
import { STALE } from '../../../src/shared/api/stale-lists.ts'

const contract = Object.entries<Endpoint>(endpoints)
const rows = Object.entries<readonly string[]>(STALE)
const changesNothing = ({ changesNothing: nothing, method }: Endpoint) => method === 'GET' || nothing === true

/** Endpoints that no write of a page changes: they follow programs or the server, or are no cached list. */
const UNAFFECTED = [
  'listClients',
  'getConnections',
  'getPropagation',
  'getSetup',
  'getSnapshot',
  'getTypes',
  'getManifest',
  'getHealth',
  'getReadiness',
  'getMetrics',
  'getOpenApi',
  'getApiDocs',
  'getApplySchema',
  'getPendingLink',
  'startSingleSignOn',
  'completeSingleSignOn',
  'openStream',
  'openEvents',
  'verifyAudit',
  'verifyProjectAudit',
]

test('every endpoint that may write has a row, and no other endpoint has one', () => {
  const writing = contract.filter(([, { method }]) => method !== 'GET').map(([name]) => name)
  expect(rows.map(([name]) => name).sort()).toEqual(writing.sort())
})

test('every list in a row is a reading endpoint of the contract, once', () => {
  const reading = new Set(contract.filter(([, each]) => changesNothing(each)).map(([name]) => name))
  for (const [name, lists] of rows) {
    expect(
      lists.filter((list) => !reading.has(list)),
      name,
    ).toEqual([])
    expect(new Set(lists).size, name).toBe(lists.length)
  }
})

test('every list of the contract is in a row, or no write of a page changes it', () => {
  const named = new Set<string>(rows.flatMap(([, lists]) => lists))
  const unnamed = contract.filter(([name, { method }]) => method === 'GET' && !named.has(name))
  expect(unnamed.map(([name]) => name).sort()).toEqual([...UNAFFECTED].sort())
})

test('a request that changes nothing makes nothing stale', () => {
  const only = contract.filter(([, each]) => each.method !== 'GET' && changesNothing(each))
  expect(only.length).toBeGreaterThan(0)
  for (const [name] of only) expect(STALE[name as keyof typeof STALE], name).toEqual([])
})
