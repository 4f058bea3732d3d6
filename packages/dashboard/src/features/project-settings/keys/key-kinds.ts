import type { SdkKey } from '@burgee/contract'

export type KeyKind = SdkKey['kind']

interface KindWords {
  readonly title: string
  readonly description: string
}

/** What each kind of key may do, and where it may be (contract, section 4). */
export const KEY_KINDS: Readonly<Record<KeyKind, KindWords>> = {
  server: {
    title: 'Server',
    description:
      'For your servers and scripts. It may do everything in its environment, so it must never be in a browser or an app.',
  },
  client: {
    title: 'Client',
    description:
      'For browsers and apps. It reads flags and reports what was seen, nothing else. Whoever has it can read the targeting rules.',
  },
}
