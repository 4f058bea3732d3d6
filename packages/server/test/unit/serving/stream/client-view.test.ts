import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredChange } from '../../../../src/changes/index.ts'
import type { WireFlag } from '../../../../src/kernel/wire-flag.ts'
import { wholeBootstrap } from '../../../../src/serving/stream/bootstrap.ts'
import { createBroadcast } from '../../../../src/serving/stream/broadcast.ts'
import { createEnvironmentSnapshot } from '../../../../src/serving/stream/environment-snapshot.ts'
import { aWireFlag } from '../../../harness/a-wire-flag.ts'

const ENVIRONMENT = '7a0c2c5e-5f2e-4d53-9d5c-6a1f1f0f7f10'
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']

interface Facts {
  readonly isHidden: boolean
  readonly needs: readonly string[]
}
/** A flag that is written; null deletes or archives it. */
interface Write {
  readonly key: string
  readonly facts: Facts | null
}

const facts: fc.Arbitrary<Facts> = fc.record({
  isHidden: fc.boolean(),
  needs: fc.uniqueArray(fc.constantFrom(...KEYS, 'missing'), { maxLength: 3 }),
})
const write: fc.Arbitrary<Write> = fc.record({
  key: fc.constantFrom(...KEYS),
  facts: fc.option(facts, { freq: 4 }),
})

const flagOf = (key: string, { isHidden, needs }: Facts, revision: number): WireFlag =>
  aWireFlag({
    key,
    revision,
    prerequisites: needs.map((flag_key) => ({ flag_key })),
    ...(isHidden && { client_visible: false }),
  })

const changeOf = ({ facts, key }: Write, revision: number): StoredChange =>
  facts
    ? { kind: 'upsert', flag_key: key, revision, flag: flagOf(key, facts, revision) }
    : { kind: 'delete', flag_key: key, revision }

/** The keys that client keys receive, by the definition: visible flags, and what these need at any depth. */
function closureOf(flags: ReadonlyMap<string, Facts>): Set<string> {
  const sent = new Set<string>()
  const visit = (key: string): void => {
    const flag = flags.get(key)
    if (!flag || sent.has(key)) return
    sent.add(key)
    flag.needs.forEach(visit)
  }
  for (const [key, { isHidden }] of flags) if (!isHidden) visit(key)
  return sent
}

/** Applies the frames to a client's revisions by key. Each deletion must remove something. */
function read(text: string, into: Map<string, number>): void {
  for (const [, data] of text.matchAll(/^data: (\{.*\})$/gm)) {
    const { flag, key, type } = JSON.parse(data ?? '')
    if (type === 'UPSERT') {
      expect(flag).not.toHaveProperty('client_visible')
      into.set(flag.key, flag.revision)
    } else if (type === 'DELETE') expect(into.delete(key)).toBe(true)
  }
}

const stateOf = (keys: Iterable<string>, revisions: ReadonlyMap<string, number>) =>
  Object.fromEntries([...keys].sort().map((key) => [key, revisions.get(key)]))

describe('what client keys receive', () => {
  it('a stream has the visible flags and what these need after each write of random environments', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 6 }),
        fc.array(write, { maxLength: 12 }),
        fc.nat({ max: 12 }),
        async (before, writes, joinsAt) => {
          const flags = new Map<string, Facts>()
          const revisions = new Map<string, number>()
          const note = ({ facts, key }: Write, revision: number) => {
            if (facts) flags.set(key, facts)
            else flags.delete(key)
            revisions.set(key, revision)
          }
          for (const each of before) note(each, 0)
          const snapshot = createEnvironmentSnapshot({
            environment_id: ENVIRONMENT,
            project_id: 'project',
            revision: 0,
            flags: [...flags].map(([key, facts]) => flagOf(key, facts, 0)),
          })
          const clients: Map<string, number>[] = []
          const join = () => {
            const client = new Map<string, number>()
            const text = wholeBootstrap(snapshot.bootstrap('client', 'plain')).toString()
            read(text, client)
            expect(text).toContain(`event: ready\ndata: ${client.size}\n`)
            clients.push(client)
          }
          join()
          for (const [at, each] of writes.entries()) {
            const exists = flags.has(each.key)
            if (!(exists || each.facts)) continue
            if (at === joinsAt) join()
            const revision = at + 1
            note(each, revision)
            const sent = snapshot.apply(changeOf(each, revision))
            const broadcast = createBroadcast(ENVIRONMENT, [sent])
            const text = broadcast.bytesFor({ audience: 'client', coding: 'plain' }, at).toString()
            const expected = stateOf(closureOf(flags), revisions)
            for (const client of clients) {
              read(text, client)
              expect(stateOf(client.keys(), client)).toEqual(expected)
            }
            const body = JSON.parse(String((await snapshot.body('client')).identity))
            expect(body.map(({ key }: WireFlag) => key)).toEqual(Object.keys(expected))
            const all = JSON.parse(String((await snapshot.body('server')).identity))
            expect(all.map(({ key }: WireFlag) => key)).toEqual([...flags.keys()].sort())
            expect([...snapshot.hiddenKeys].sort()).toEqual(
              [...flags].flatMap(([key, { isHidden }]) => (isHidden ? [key] : [])).sort(),
            )
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('a needed flag comes before the flag that needs it, and leaves after it', () => {
    const snapshot = createEnvironmentSnapshot({
      environment_id: ENVIRONMENT,
      project_id: 'project',
      revision: 0,
      flags: [
        flagOf('deep', { isHidden: true, needs: [] }, 0),
        flagOf('near', { isHidden: true, needs: ['deep'] }, 0),
      ],
    })
    const updates = (each: Write, revision: number) =>
      (snapshot.apply(changeOf(each, revision)).toClients ?? []).map(
        ({ flag_key, kind }) => `${kind} ${flag_key}`,
      )
    expect(updates({ key: 'seen', facts: { isHidden: false, needs: ['near'] } }, 1)).toEqual([
      'upsert near',
      'upsert deep',
      'upsert seen',
    ])
    expect(updates({ key: 'seen', facts: null }, 2)).toEqual(['delete seen', 'delete near', 'delete deep'])
  })

  it('an environment without hidden flags sends client keys the very change that others receive', () => {
    const snapshot = createEnvironmentSnapshot({
      environment_id: ENVIRONMENT,
      project_id: 'project',
      revision: 0,
      flags: [flagOf('a', { isHidden: false, needs: ['b'] }, 0)],
    })
    const change = changeOf({ key: 'b', facts: { isHidden: false, needs: [] } }, 1)
    expect(snapshot.apply(change)).toBe(change)
  })
})
