import type { SdkKey } from '@burgee/contract'

export type KeyKind = SdkKey['kind']

interface KindLabel {
  readonly title: string
  readonly description: string
  /** What a program can do with it in an environment, as a sentence. */
  readonly describeReach: (environmentName: string) => string
}

/** What each kind of key may do, and where it may be; the one that most programs need comes first. */
export const KEY_KINDS: Readonly<Record<KeyKind, KindLabel>> = {
  reader: {
    title: 'Reader',
    description:
      'For back ends. It reads flags and reports what was seen, nothing else. It lets anyone read the targeting rules.',
    describeReach: (name) => `Reads flags of ${name}, and reports.`,
  },
  client: {
    title: 'Client',
    description:
      'For browsers and apps. It does what a reader does, and receives flags without descriptions, owners and tags.',
    describeReach: (name) => `Reads flags of ${name} in browsers.`,
  },
  server: {
    title: 'Server',
    description:
      'For scripts that change flags. It may do everything in its environment, as an admin may: keep it out of programs that only read.',
    describeReach: (name) => `Can change everything in ${name}.`,
  },
}

export const isKeyKind = (text: string): text is KeyKind => Object.hasOwn(KEY_KINDS, text)
