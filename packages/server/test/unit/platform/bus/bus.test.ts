import { describe, expect, it } from 'vitest'
import type { Hint } from '../../../../src/platform/bus/bus.ts'
import { createHintListeners } from '../../../../src/platform/bus/hint-listeners.ts'
import { createHintOutbox } from '../../../../src/platform/bus/hint-outbox.ts'
import { readHints, writeHints } from '../../../../src/platform/bus/hint-text.ts'
import { createLog } from '../../../../src/platform/log/log.ts'

const ENVIRONMENT = '0b9d3a52-6a0e-4b4e-9a53-0d6c0c6a4f11'
const OTHER = '0b9d3a52-6a0e-4b4e-9a53-0d6c0c6a4f22'
const changes = (revision: number, environment_id = ENVIRONMENT): Hint => ({
  kind: 'changes',
  environment_id,
  revision,
})

describe('a message of the bus', () => {
  it('a message of the bus returns the hints that were written', () => {
    const hints: Hint[] = [changes(1), { kind: 'revocations' }]
    expect(writeHints(hints).flatMap(readHints)).toEqual(hints)
  })

  it('a message of the bus is below the 8,000 bytes of NOTIFY, however many hints there are', () => {
    const hints = Array.from({ length: 1_000 }, () => changes(Number.MAX_SAFE_INTEGER))
    const messages = writeHints(hints)
    expect(messages.flatMap(readHints)).toHaveLength(1_000)
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8_000)
  })

  it.each([
    ['nothing', undefined],
    ['a number', 7],
    ['no JSON', 'hello'],
    ['an object', '{}'],
    ['null', 'null'],
    ['an unknown kind', '[{"kind":"shutdown"}]'],
    ['no kind', '[{},null,1,"changes",[]]'],
    ['an environment that is no UUID', '[{"kind":"changes","environment_id":"x","revision":1}]'],
    ['no revision', `[{"kind":"changes","environment_id":"${ENVIRONMENT}"}]`],
    ['a negative revision', `[{"kind":"changes","environment_id":"${ENVIRONMENT}","revision":-1}]`],
    ['a fractional revision', `[{"kind":"changes","environment_id":"${ENVIRONMENT}","revision":1.5}]`],
    ['a revision that is text', `[{"kind":"changes","environment_id":"${ENVIRONMENT}","revision":"1"}]`],
    ['far too much', `[${'{"kind":"revocations"},'.repeat(10_000)}{"kind":"revocations"}]`],
  ])('a message of the bus with %s has no hints', (_, message) => {
    expect(readHints(message)).toEqual([])
  })

  it('a message of the bus loses only its invalid hints, and unknown fields', () => {
    const message = JSON.stringify([{ kind: 'x' }, { ...changes(3), extra: 1 }, null])
    expect(readHints(message)).toEqual([changes(3)])
  })
})

describe('hints of one burst', () => {
  function outbox() {
    const sent: Hint[][] = []
    let release: () => void = () => undefined
    const gate = { closed: false }
    const box = createHintOutbox(async (hints) => {
      sent.push(hints)
      if (gate.closed) await new Promise<void>((resolve) => (release = resolve))
    })
    return { box, sent, gate, release: () => release() }
  }
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

  it('hints of one burst are sent together, one for each environment with its highest revision', async () => {
    const { box, sent } = outbox()
    box.add(changes(1))
    box.add(changes(3))
    box.add(changes(2))
    box.add({ kind: 'revocations' })
    box.add(changes(9, OTHER))
    box.add({ kind: 'revocations' })
    await turn()
    expect(sent).toEqual([[changes(3), { kind: 'revocations' }, changes(9, OTHER)]])
  })

  it('hints during a send wait for it and are sent together', async () => {
    const { box, sent, gate, release } = outbox()
    gate.closed = true
    box.add(changes(1))
    await turn()
    box.add(changes(2))
    box.add(changes(3))
    await turn()
    expect(sent).toEqual([[changes(1)]])
    gate.closed = false
    release()
    await turn()
    expect(sent).toEqual([[changes(1)], [changes(3)]])
  })

  it('hints that cannot be sent are dropped, and later ones are sent', async () => {
    const sent: Hint[][] = []
    const box = createHintOutbox(async (hints) => {
      sent.push(hints)
      if (sent.length === 1) throw new Error('away')
    })
    box.add(changes(1))
    await turn()
    box.add(changes(2))
    await turn()
    expect(sent).toEqual([[changes(1)], [changes(2)]])
  })

  it('hints are not sent after the bus was closed', async () => {
    const { box, sent } = outbox()
    await box.close()
    box.add(changes(1))
    await turn()
    expect(sent).toEqual([])
  })
})

describe('listeners', () => {
  it('listeners receive hints until they unsubscribe, whatever another listener does', () => {
    const lines: string[] = []
    const listeners = createHintListeners(createLog('error', { write: (line) => void lines.push(line) }))
    const heard: Hint[] = []
    listeners.add(() => {
      throw new Error('broken')
    })
    const leave = listeners.add((hint) => heard.push(hint))
    listeners.notify([changes(1)])
    leave()
    listeners.notify([changes(2)])
    expect(heard).toEqual([changes(1)])
    expect(lines).toHaveLength(2)
  })
})
