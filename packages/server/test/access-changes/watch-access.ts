import { expect } from 'vitest'
import { eventually } from '../harness/eventually.ts'
import { readStream, type TestStream } from '../harness/read-stream.ts'
import type { TestServer } from '../harness/start-test-server.ts'
import type { Changed, ChangeWorld } from './changes.ts'
import { type Credential, expectedOf, type Key, type Person, type Place } from './model.ts'
import { readStatus } from './read-status.ts'

/** A stream that is open, of one environment. */
interface OpenStream {
  readonly stream: TestStream
  readonly place: Place
  readonly holder: { readonly person: Person; readonly credential: Credential } | { readonly key: Key }
}

const STREAMS_MAX = 24
/** The people beside the changed one whose access is read after a change, which must be as before. */
const OTHERS = 2
/** The last credentials of a person whose access is read after a change. */
const CREDENTIALS_LOOKED_AT = 6
const SHOWN_CHARACTERS = 500

/** Compares what everyone may do with the model, on every instance. */
export function createWatch(world: ChangeWorld) {
  const { groupProject, model, places, random, servers } = world
  const streams: OpenStream[] = []
  /** The milliseconds from the response of each change until the last request that it did not hold for. */
  const delays: number[] = []
  let lastStaleMs = 0
  const figures = { requests: 0, streamsEnded: 0 }

  async function statuses(server: TestServer, { as, isEnded }: Credential, { environment }: Place) {
    const path = `/api/environments/${environment}/flags`
    figures.requests += isEnded ? 1 : 2
    const read = readStatus(server, { path, as })
    // An ended credential is refused before anything else is looked at.
    const write = isEnded ? read : readStatus(server, { path, body: '{}', as })
    return { read: await read, write: await write }
  }

  async function isAsExpected(person: Person, credential: Credential, server: TestServer): Promise<true> {
    // An ended credential is refused everywhere alike.
    const looked = credential.isEnded ? places.slice(0, 1) : places
    await Promise.all(
      looked.map(async (place) => {
        const expected = expectedOf(model, { person, credential }, { groupProject, place })
        const askedMs = performance.now()
        const found = await statuses(server, credential, place)
        if (found.read === expected.read && found.write === expected.write) return
        throw outdated(askedMs, { found, expected, place, credential, person })
      }),
    )
    return true
  }

  /** Returns the error of what did not hold at that time. */
  function outdated(atMs: number, what: object): Error {
    lastStaleMs = Math.max(lastStaleMs, atMs)
    return new Error(`outdated: ${JSON.stringify(what)}`)
  }

  function hasEnded({ holder, place, stream }: OpenStream): true {
    if (stream.ended()) return true
    throw outdated(performance.now(), { holder, place, received: stream.text().slice(-SHOWN_CHARACTERS) })
  }

  const mayStream = ({ holder, place }: Pick<OpenStream, 'holder' | 'place'>): boolean =>
    'key' in holder ? !holder.key.isRevoked : expectedOf(model, holder, { groupProject, place }).read === 200

  /** Waits until what was changed holds everywhere. What was not changed must hold at once. */
  async function check({ people }: Changed, fromMs: number): Promise<void> {
    const others = model.people.filter((person) => !people.includes(person))
    const everywhere = (look: (server: TestServer) => Promise<true>) =>
      servers.map((server) => eventually(() => look(server)))
    const ending = streams.filter((open) => !mayStream(open))
    await Promise.all([
      ...ending.map((open) => eventually(() => hasEnded(open))),
      ...people.flatMap((person) =>
        person.credentials
          .slice(-CREDENTIALS_LOOKED_AT)
          .flatMap((credential) => everywhere((server) => isAsExpected(person, credential, server))),
      ),
      ...model.keys.slice(-3).flatMap((key) => everywhere((server) => isKeyAsExpected(key, server))),
    ])
    figures.streamsEnded += ending.length
    delays.push(Math.max(0, lastStaleMs - fromMs))
    for (let count = 0; count < OTHERS && others.length > 0; count += 1) {
      const person = random.pick(others)
      for (const credential of person.credentials.slice(-1)) {
        for (const server of servers) expect(await isAsExpected(person, credential, server)).toBe(true)
      }
    }
    for (const open of streams) if (mayStream(open)) expect(open.stream.ended()).toBe(false)
    for (let at = streams.length - 1; at >= 0; at -= 1) if (streams[at]?.stream.ended()) streams.splice(at, 1)
  }

  async function isKeyAsExpected({ id, isRevoked, key }: Key, server: TestServer): Promise<true> {
    figures.requests += 1
    const askedMs = performance.now()
    const status = await readStatus(server, { path: '/flags/snapshot', as: { bearer: key } })
    if (status === (isRevoked ? 401 : 200)) return true
    throw outdated(askedMs, { status, id, isRevoked })
  }

  /** Opens a stream of a credential that has none and may read. */
  async function openStreams(): Promise<void> {
    const holders: OpenStream['holder'][] = [
      ...model.keys.map((key) => ({ key })),
      ...model.people.flatMap((person) => person.credentials.map((credential) => ({ person, credential }))),
    ]
    for (const holder of holders) {
      const place = 'key' in holder ? holder.key.place : random.pick(places)
      const isOpen = streams.some((open) => idOf(open.holder) === idOf(holder))
      if (isOpen || streams.length >= STREAMS_MAX || !mayStream({ holder, place })) continue
      const stream = await open(holder, place)
      await stream.until(({ event }) => event === 'ready')
      streams.push({ holder, place, stream })
    }
  }

  async function open(holder: OpenStream['holder'], { environment }: Place): Promise<TestStream> {
    const { url } = random.pick(servers)
    if ('key' in holder) return readStream(`${url}/stream`, { authorization: `Bearer ${holder.key.key}` })
    const { as } = holder.credential
    const headers = 'cookie' in as ? as : { authorization: `Bearer ${as.bearer}` }
    return readStream(`${url}/stream?environment_id=${environment}`, { ...headers })
  }

  return {
    delays,
    figures,
    check,
    openStreams,
    /** Expects every stream that is open to receive a change. */
    async everyStreamWorks(): Promise<number> {
      const [server] = servers
      for (const { environment } of places) {
        const path = `/api/environments/${environment}/flags`
        await server?.call({ path, body: { key: 'last-flag', is_enabled: true } })
      }
      for (const { stream } of streams) await eventually(() => stream.text().includes('last-flag'))
      return streams.length
    },
    close: () => {
      for (const { stream } of streams) stream.close()
    },
  }
}

const idOf = (holder: OpenStream['holder']): string =>
  'key' in holder ? `key ${holder.key.id}` : `${holder.credential.kind} ${holder.credential.id}`
