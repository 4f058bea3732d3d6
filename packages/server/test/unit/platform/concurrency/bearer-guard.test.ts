import { describe, expect, it } from 'vitest'
import { createBearerGuard } from '../../../../src/platform/concurrency/bearer-guard.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'

const VALID = 'sk_live_valid'
const LEGACY = 'a legacy key?'
const HERE = '192.0.2.1'
const ELSEWHERE = '192.0.2.2'

function build({ unknownPerMinute = 3 } = {}) {
  const clock = createManualClock()
  const valid = new Set([VALID, LEGACY])
  const lookedUp: string[] = []
  let generation = 0
  let outage: Error | undefined
  const guard = createBearerGuard(
    { clock, rights: { generation: () => generation } },
    { unknownPerMinute, legacySdkKey: LEGACY },
  )
  async function find(bearer: string, from = HERE) {
    const lookUp = async () => {
      lookedUp.push(bearer)
      // A later turn of the event loop, as from a database.
      await new Promise(setImmediate)
      if (outage) throw outage
      return valid.has(bearer) ? 'found' : null
    }
    try {
      return await guard.find(bearer, () => from, lookUp)
    } catch (error) {
      return error
    }
  }
  const changeRights = () => {
    generation += 1
  }
  const setOutage = (error?: Error) => {
    outage = error
  }
  return { clock, find, lookedUp, valid, changeRights, setOutage }
}

const TOO_MANY = { kind: 'too_many', extras: { retry_after_seconds: 60 } }

describe('looking up a bearer token', () => {
  it.each([
    '',
    'nonsense',
    'sk_live_',
    'pat_',
    'sk_live_with space',
    'SK_LIVE_a',
    'sk_live_ü',
    `sk_live_${'x'.repeat(600)}`,
  ])('a token of an impossible form is not looked up: %j', async (bearer) => {
    const { find, lookedUp } = build()
    for (let count = 0; count < 10; count += 1) expect(await find(bearer)).toBeNull()
    expect(lookedUp).toEqual([])
  })

  it('the legacy key is looked up whatever its form', async () => {
    expect(await build().find(LEGACY)).toBe('found')
  })

  it('a token that was unknown a moment ago is not looked up again', async () => {
    const { clock, find, lookedUp } = build()
    for (let count = 0; count < 10; count += 1) expect(await find('sk_live_revoked')).toBeNull()
    expect(lookedUp).toHaveLength(1)

    clock.advance(30_000)
    await find('sk_live_revoked')
    expect(lookedUp).toHaveLength(2)
  })

  it('an unknown token is looked up again once rights have changed', async () => {
    const { changeRights, find, valid } = build()
    expect(await find('sk_live_new')).toBeNull()
    valid.add('sk_live_new')
    changeRights()
    expect(await find('sk_live_new')).toBe('found')
  })

  it('concurrent requests with one unknown token cause one look-up', async () => {
    const { find, lookedUp } = build()
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => find('sk_live_revoked')))
    expect(new Set(answers)).toEqual(new Set([null]))
    expect(lookedUp).toHaveLength(1)
  })

  it('concurrent requests with one token cause one more look-up after rights have changed', async () => {
    const { changeRights, find, lookedUp } = build()
    const crowd = () => Promise.all(Array.from({ length: 1_000 }, () => find('sk_live_revoked')))
    const answers = crowd()
    changeRights()
    expect(new Set(await answers)).toEqual(new Set([null]))
    expect(lookedUp).toHaveLength(2)
  })

  it('a failed shared look-up fails every caller, and is not counted', async () => {
    const { find, lookedUp, setOutage } = build()
    const outage = new Error('connection refused')
    setOutage(outage)
    const failed = await Promise.all(Array.from({ length: 1_000 }, () => find(VALID)))
    expect(new Set(failed)).toEqual(new Set([outage]))
    expect(lookedUp).toHaveLength(1)

    setOutage()
    const found = await Promise.all(Array.from({ length: 1_000 }, () => find(VALID)))
    expect(new Set(found)).toEqual(new Set(['found']))
  })
})

describe('an address that has sent too many unknown tokens in a minute', () => {
  it('an address above the limit is refused without a look-up, for the rest of the minute', async () => {
    const { clock, find, lookedUp } = build()
    for (let count = 0; count < 3; count += 1) expect(await find(`sk_live_${count}`)).toBeNull()

    expect(await find('sk_live_3')).toMatchObject(TOO_MANY)
    expect(await find('pat_3')).toMatchObject(TOO_MANY)
    expect(lookedUp).toHaveLength(3)
    clock.advance(60_000)
    expect(await find('sk_live_4')).toBeNull()
  })

  it('an address above the limit is refused also when all tokens are sent at once', async () => {
    const { find, lookedUp } = build()
    await Promise.all(Array.from({ length: 100 }, (_, count) => find(`sk_live_${count}`)))
    expect(lookedUp).toHaveLength(3)
  })

  it('an address above the limit can use a token that was valid before, and sees its revocation', async () => {
    const { find, valid } = build()
    await find(VALID)
    for (let count = 0; count < 10; count += 1) await find(`sk_live_${count}`)

    expect(await find(VALID)).toBe('found')
    valid.delete(VALID)
    expect(await find(VALID)).toBeNull()
    expect(await find('sk_live_9')).toMatchObject(TOO_MANY)
  })

  it('an address above the limit is still refused as unknown for tokens that it sent before', async () => {
    const { find } = build()
    for (let count = 0; count < 10; count += 1) await find(`sk_live_${count}`)
    expect(await find('sk_live_0')).toBeNull()
  })

  it('an address above the limit does not block another one', async () => {
    const { find } = build()
    for (let count = 0; count < 10; count += 1) await find(`sk_live_${count}`)
    expect(await find(VALID, ELSEWHERE)).toBe('found')
  })
})

it('valid tokens are never counted', async () => {
  const { find, valid } = build()
  for (let count = 0; count < 10; count += 1) {
    valid.add(`sk_live_${count}`)
    expect(await find(`sk_live_${count}`)).toBe('found')
  }
})
