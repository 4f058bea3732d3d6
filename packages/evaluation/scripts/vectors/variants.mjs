import { evaluated, flag, keys, ruled, text, weighted } from './builders.mjs'

export const variants = {
  about: 'variants chosen by weight',
  vectors: [
  ...[[6, 3, 1], [60, 30, 10], [0, 1, 0], [1, 1, 1, 1], [1]].flatMap((weights) =>
    keys.map((user) => evaluated(`weights ${weights}`, [text({ variants: weighted(...weights) })], user)),
  ),
  ...keys.map((user) =>
    evaluated('behind a rollout of 50', [text({ rollout_percentage: 50, variants: weighted(1, 1) })], user),
  ),
  evaluated('no user key gives default_value', [text({ variants: weighted(1, 1) })], null),
  evaluated('a rule goes before the weights', [text({ variants: weighted(1, 1), rules: ruled })], 'ann', {
    it: 'a',
  }),
  evaluated('weights that are all zero are malformed', [text({ variants: weighted(0, 0) })]),
  evaluated('variants on a boolean flag are malformed', [flag({ variants: [{ weight: 1, value: true }] })]),
],
}
