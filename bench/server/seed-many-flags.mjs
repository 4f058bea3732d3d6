import { openHttpConnection, requestBytes } from '../harness/http-connection.mjs'

const LANES = 8
const SEGMENTS = 20
const TEAMS = 50
const RULES = 5
const OPERATORS = ['equals', 'not_equals', 'contains', 'starts_with', 'ends_with']
const ATTRIBUTES = ['country', 'plan', 'email', 'app_version', 'company']

/** Returns a key such as `flag-00001`. */
export const manyFlagKey = (index) => `flag-${String(index + 1).padStart(5, '0')}`

/** The tag, owner and word of one flag in fifty. */
export const ONE_TEAM = { tag: 'team-07', owner_email: 'team-07@example.com', word: 'checkout-07' }

/**
 * Returns whether a flag has prerequisites: every tenth does, and some of those have prerequisites in turn.
 */
export const hasPrerequisites = (index) => index % 10 === 9

/**
 * Creates the flags of a large installation through the API: five rules each, tags, an owner, prerequisites
 * on every tenth and a segment on every seventh.
 */
export async function seedManyFlags({ port }, { environment_id, sdk_key }, count) {
  const at = `/api/environments/${environment_id}`
  const segments = Array.from({ length: SEGMENTS }, (_, index) => ({
    path: `${at}/segments`,
    body: segment(index),
  }))
  await postAll(port, sdk_key, segments, 1)
  const flags = Array.from({ length: count }, (_, index) => ({ path: `${at}/flags`, body: manyFlag(index) }))
  await postAll(port, sdk_key, flags, LANES)
}

async function postAll(port, sdk_key, requests, lanes) {
  let next = 0
  const lane = async () => {
    const connection = await openHttpConnection(port)
    while (next < requests.length) {
      const { path, body } = requests[next++]
      const response = await connection.send(requestBytes({ method: 'POST', path, sdk_key, body }))
      if (response.status !== 200)
        throw new Error(`POST ${path} returned ${response.status}: ${response.body}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

const segment = (index) => ({
  key: `segment-${index}`,
  name: `Segment ${index}`,
  rules: Array.from({ length: 3 }, (_, at) => rule(index, at)),
})

function manyFlag(index) {
  const team = String(index % TEAMS).padStart(2, '0')
  return {
    key: manyFlagKey(index),
    is_enabled: index % 2 === 0,
    description: `Whether page ${index + 1} shows checkout-${team} to the users that its rules match, and to no others`,
    rollout_percentage: index % 3 === 0 ? 30 : null,
    rules: [
      ...Array.from({ length: index % 7 === 0 ? RULES - 1 : RULES }, (_, at) => rule(index, at)),
      ...(index % 7 === 0 ? [{ segment_key: `segment-${index % SEGMENTS}` }] : []),
    ],
    tags: ['bench', `team-${team}`],
    owner_email: `team-${team}@example.com`,
    ...(index % 4 === 3 && {
      flag_type: 'string',
      default_value: 'on',
      disabled_value: 'off',
      variants: [
        { weight: 1, value: 'blue' },
        { weight: 1, value: 'green' },
      ],
    }),
    ...(hasPrerequisites(index) && {
      prerequisites: [index - 1, index - 10]
        .filter((at) => at >= 0)
        .map((at) => ({ flag_key: manyFlagKey(at) })),
    }),
  }
}

const rule = (index, at) => ({
  attribute: ATTRIBUTES[at % ATTRIBUTES.length],
  operator: OPERATORS[at % OPERATORS.length],
  values: [`value-${index}-${at}`, `other-${index}-${at}`, `third-${index}-${at}`].slice(0, at === 1 ? 1 : 3),
})
