import { loadPeerFile, peerVersion } from '../load-peer.mjs'
import { fiftyRules, fourVariants, threeRules } from '../scenarios.mjs'

const NAME = 'flagsmith-nodejs'

/**
 * The engine with which the SDK evaluates locally. It evaluates all flags at once, so each question gets an
 * environment with only its own flag, which is the best case for it. It has no prerequisites.
 */
export async function createContestant() {
  const { getEvaluationResult } = await loadPeerFile(`${NAME}/build/esm/flagsmith-engine/index.js`)
  const environment = { key: 'bench', name: 'bench' }
  const feature = (stated = {}) => ({
    key: '1',
    name: 'flag',
    enabled: true,
    value: null,
    metadata: { id: 1 },
    ...stated,
  })
  const segment = (conditions, key) => ({
    key: String(key),
    name: `segment-${key}`,
    metadata: { id: key },
    rules: [{ type: 'ALL', conditions, rules: [] }],
    overrides: [feature({ priority: key })],
  })
  const segments = (rules) =>
    Object.fromEntries(
      rules.map(({ attribute, values }, index) => [
        String(index + 1),
        segment([{ property: attribute, operator: 'IN', value: values }], index + 1),
      ]),
    )
  const off = { flag: feature({ enabled: false }) }
  const split = { 1: segment([{ property: '$.identity.key', operator: 'PERCENTAGE_SPLIT', value: '30' }], 1) }
  const ask = (features, segments, response = 'enabled') => ({
    prepare: ({ key, attributes }) => ({
      environment,
      features,
      segments,
      identity: { identifier: key, key, traits: { ...attributes } },
    }),
    ask: (context) => getEvaluationResult(context).flags.flag[response],
  })
  const variants = fourVariants.map((value, priority) => ({ value, weight: 25, priority }))
  return {
    name: 'Flagsmith engine',
    version: peerVersion(NAME),
    questions: {
      boolean: ask({ flag: feature() }, {}),
      rollout: ask(off, split),
      rules: ask(off, segments(threeRules)),
      variants: ask({ flag: feature({ variants }) }, {}, 'value'),
      prerequisite: null,
      fifty: ask(off, segments(fiftyRules)),
      'non-ascii': ask(off, split),
    },
    close() {},
  }
}
