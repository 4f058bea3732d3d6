import { loadPeer, peerVersion } from '../load-peer.mjs'
import { fiftyRules, fourVariants, threeRules } from '../scenarios.mjs'

const NAME = '@openfeature/flagd-core'

const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' }
const anyOf = (rules) => ({
  if: rules.flatMap(({ attribute, values }) => [{ in: [{ var: attribute }, values] }, 'on']).concat('off'),
})

/** The core with which flagd's in-process provider evaluates. It has no prerequisites. */
export function createContestant() {
  const { FlagdCore } = loadPeer(NAME)
  const silent = { error() {}, warn() {}, info() {}, debug() {} }
  const core = new FlagdCore(undefined, silent)
  const bySeed = { cat: [{ var: '$flagd.flagKey' }, { var: 'targetingKey' }] }
  core.setConfigurations(
    JSON.stringify({
      flags: {
        boolean: { ...onOff, defaultVariant: 'on' },
        rollout: { ...onOff, targeting: { fractional: [bySeed, ['on', 30], ['off', 70]] } },
        rules: { ...onOff, targeting: anyOf(threeRules) },
        variants: {
          state: 'ENABLED',
          variants: Object.fromEntries(fourVariants.map((value) => [value, value])),
          defaultVariant: 'red',
          targeting: { fractional: [bySeed, ...fourVariants.map((value) => [value, 25])] },
        },
        fifty: { ...onOff, targeting: anyOf(fiftyRules) },
      },
    }),
  )
  const prepare = ({ key, attributes }) => ({ targetingKey: key, ...attributes })
  const ask = (flagKey) => ({
    prepare,
    ask: (context) => core.resolveBooleanEvaluation(flagKey, false, context, silent).value,
  })
  return {
    name: 'flagd core',
    version: peerVersion(NAME),
    questions: {
      boolean: ask('boolean'),
      rollout: ask('rollout'),
      rules: ask('rules'),
      variants: {
        prepare,
        ask: (context) => core.resolveStringEvaluation('variants', 'none', context, silent).value,
      },
      prerequisite: null,
      fifty: ask('fifty'),
      'non-ascii': ask('rollout'),
    },
    close() {},
  }
}
