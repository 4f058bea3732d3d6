import type { Random } from '../../../packages/server/test/fuzz/random.ts'

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

const named = (count: number, make: (at: number) => unknown) =>
  Object.fromEntries(times(count, (at) => [`k${at}`, make(at)]))

/** Values that fit into a body of a megabyte and are expensive to check, by what they have many of. */
const VALUES: Readonly<Record<string, (random: Random) => unknown>> = {
  numbers: (random) => times(random.integer(1_000, 90_000), (at) => at),
  'equal numbers': (random) => times(random.integer(1_000, 90_000), () => 1),
  texts: (random) => times(random.integer(1_000, 60_000), (at) => `t${at}`),
  'long texts': (random) => {
    // JavaScript gives texts beyond 16,383 characters a hash of their length alone.
    const length = random.pick([500, 5_000, 16_500, 100_000])
    return times(Math.floor(850_000 / (length + 10)), (at) => `${'x'.repeat(length)}${at + 1_000}`)
  },
  'one long text': (random) => random.pick(['x', 'é', '😀']).repeat(200_000),
  'texts that almost match': () => times(1_500, () => `${'a'.repeat(500)}!`),
  fields: (random) => named(random.integer(1_000, 48_000), (at) => at),
  'fields of texts': (random) => named(random.integer(1_000, 30_000), (at) => `v${at}`),
  'empty lists': (random) => times(random.integer(1_000, 90_000), () => []),
  'empty objects': (random) => times(random.integer(1_000, 90_000), () => ({})),
  'small objects': (random) => times(random.integer(1_000, 24_000), (at) => ({ k0: at, k1: 'x' })),
  'small lists': (random) => times(random.integer(1_000, 30_000), (at) => [at, 1]),
  'large objects': (random) => times(random.integer(2, 40), () => named(1_000, (at) => at)),
  'large lists': (random) => times(random.integer(2, 40), () => times(2_000, (at) => at)),
  'lists in lists': () => times(3_000, () => times(24, (at) => at).reduce<unknown>((inner) => [inner], 0)),
  fractions: (random) => times(random.integer(1_000, 60_000), (at) => at / 7),
}

export function hostileValue(random: Random): unknown {
  const make = random.pick(Object.values(VALUES))
  return make(random)
}
