import type { SdkKey } from '@burgee/contract'

export type KeyKind = SdkKey['kind']

interface KindLabel {
  readonly title: string
  readonly description: string
  /** A sentence that states what a program can do with the key in an environment. */
  readonly describeReach: (environmentName: string) => string
}

/**
 * The rights of each kind of key, and the places where it may be. The kind that most programs need comes
 * first.
 */
export const KEY_KINDS: Readonly<Record<KeyKind, KindLabel>> = {
  reader: {
    title: 'Reader',
    description:
      'For back ends. It reads flags and sends reports, nothing else. It lets anyone read the targeting rules.',
    describeReach: (name) => `Reads flags of ${name} and sends reports. It changes nothing.`,
  },
  client: {
    title: 'Client',
    description:
      'For browsers and apps. It does what a reader does, and receives flags without descriptions, owners and tags.',
    describeReach: (name) =>
      `Reads flags of ${name} in browsers and apps, and sends reports. It changes nothing.`,
  },
  server: {
    title: 'Server',
    description:
      'For scripts that change flags. It may do everything in its environment, as an admin may: keep it out of programs that only read.',
    describeReach: (name) => `Can change everything in ${name}, as an admin can.`,
  },
}

export const isKeyKind = (text: string): text is KeyKind => Object.hasOwn(KEY_KINDS, text)
