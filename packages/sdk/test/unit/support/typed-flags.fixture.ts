import { createClient } from '../../../src/index.ts'

/** A program that declares its flags. It is compiled alone, because it changes the types. */
declare module '../../../src/flags.ts' {
  interface Flags {
    'new-checkout': boolean
    theme: 'light' | 'dark'
    limits: { seats: number }
  }
}

const client = createClient({ url: 'http://127.0.0.1', sdkKey: 'sk_live_x' })
const user = client.forUser('u')

export const right = {
  on: client.isEnabled('new-checkout', 'u') satisfies boolean,
  theme: client.getVariant('theme', 'u', {}, 'light') satisfies 'light' | 'dark',
  maybe: client.getVariant('theme', 'u') satisfies 'light' | 'dark' | null,
  none: client.getVariant('theme', 'u', {}, null) satisfies 'light' | 'dark' | null,
  seats: user.getVariant('limits', { seats: 1 }).seats satisfies number,
  mine: user.getVariant('theme', 'dark') satisfies 'light' | 'dark',
  any: user.evaluate('any-text').value,
  isOn: user.isEnabled('theme') satisfies boolean,
}

export const wrong = [
  // @ts-expect-error an unknown key
  client.isEnabled('new-chekout', 'u'),
  // @ts-expect-error an unknown key
  client.getVariant('them', 'u'),
  // @ts-expect-error a fallback of another type
  client.getVariant('theme', 'u', {}, 5),
  // @ts-expect-error a fallback that is none of the values
  client.getVariant('theme', 'u', {}, 'blue'),
  // @ts-expect-error an unknown key
  user.isEnabled('them'),
  // @ts-expect-error a fallback of another type
  user.getVariant('limits', { seats: 'many' }),
]

// @ts-expect-error a comparison with a value that the flag cannot have
if (user.getVariant('theme') === 'blue') right.any = null
