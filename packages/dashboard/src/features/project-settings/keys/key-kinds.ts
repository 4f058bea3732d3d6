import type { SdkKey } from '@burgee/contract'

export type KeyKind = SdkKey['kind']

interface KindWords {
  readonly title: string
  readonly description: string
}

/** What each kind of key may do, and where it may be; the one that most programs need comes first. */
export const KEY_KINDS: Readonly<Record<KeyKind, KindWords>> = {
  reader: {
    title: 'Reader',
    description:
      'For back ends. It reads flags and reports what was seen, nothing else. It lets anyone read the targeting rules.',
  },
  client: {
    title: 'Client',
    description:
      'For browsers and apps. It does what a reader does, and receives flags without descriptions, owners and tags.',
  },
  server: {
    title: 'Server',
    description:
      'For scripts that change flags. It may do everything in its environment, as an admin may: keep it out of programs that only read.',
  },
}

export const isKeyKind = (text: string): text is KeyKind => Object.hasOwn(KEY_KINDS, text)
