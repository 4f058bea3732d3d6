import { afterEach, describe, expect, it, vi } from 'vitest'
import { hostPlatform } from '../../src/platform.ts'
import { until } from './support/until.ts'

const { clock, onLeave } = hostPlatform()

describe('timers in Node', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each([
    ['does not keep a program running', undefined, false],
    ['keeps a program running on request', true, true],
  ])('a timer in Node %s', (_title, holdsProcess, expected) => {
    const made = vi.spyOn(globalThis, 'setTimeout')
    const cancel = clock.setTimer(() => {}, 60_000, holdsProcess)

    expect(made.mock.results[0]?.value.hasRef()).toBe(expected)
    cancel()
  })

  it('a timer calls back once, unless it is cancelled', async () => {
    const calls: string[] = []
    clock.setTimer(() => calls.push('cancelled'), 0)()
    clock.setTimer(() => calls.push('due'), 1)
    await until(() => calls.length > 0)

    expect(calls).toEqual(['due'])
  })
})

describe('a page', () => {
  afterEach(() => vi.unstubAllGlobals())

  function page(): { turn(visibilityState: string): void; leave(): void } {
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    const window = new EventTarget()
    vi.stubGlobal('document', document)
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
    return {
      turn(visibilityState) {
        document.visibilityState = visibilityState
        document.dispatchEvent(new Event('visibilitychange'))
      },
      leave: () => window.dispatchEvent(new Event('pagehide')),
    }
  }

  it('a page notifies when it is hidden or left, until unsubscribed', () => {
    const { turn, leave } = page()
    let calls = 0
    const stop = onLeave(() => {
      calls++
    })
    turn('visible')
    expect(calls).toBe(0)
    turn('hidden')
    leave()
    expect(calls).toBe(2)
    stop()
    turn('hidden')
    leave()

    expect(calls).toBe(2)
  })

  it('there is no page in Node', () => {
    expect(() => onLeave(() => {})()).not.toThrow()
  })
})
