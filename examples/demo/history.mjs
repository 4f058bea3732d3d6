/**
 * A month of visitors for the demo, with data for three experiments. It is sent through the API, like reports
 * of SDKs.
 */

import { createClient } from '../../packages/sdk/dist/index.js'
import { createRandom } from '../../scripts/random.mjs'

const USERS = 20_000
const DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const BATCH = 500
const SEED = 2_026

const variantsOf = (...values) => values.map((value) => ({ weight: 1, value }))

/** The flags that the experiments compare; the shop evaluates `banner-colour`. */
export const EXPERIMENT_FLAGS = [
  {
    key: 'search-order',
    description: 'Does the order of the goods matter?',
    is_enabled: true,
    flag_type: 'string',
    default_value: 'popular',
    disabled_value: 'popular',
    variants: variantsOf('popular', 'newest'),
    tags: ['experiment'],
  },
  {
    key: 'delivery-promise',
    description: 'Show on which day it arrives',
    is_enabled: true,
    flag_type: 'string',
    default_value: 'none',
    disabled_value: 'none',
    variants: variantsOf('none', 'exact-day'),
    tags: ['experiment', 'shipping'],
  },
]

/**
 * The experiments. `rates` are the true rates; `lost` is the share of a variant's users whose page never
 * reports.
 */
const EXPERIMENTS = [
  {
    name: 'Which banner sells best?',
    key: 'banner-sales',
    description: 'A clear winner',
    flag_key: 'banner-colour',
    goal_event_key: 'order-placed',
    control_variant: 'sea',
    rates: { sea: 0.1, coral: 0.102, meadow: 0.135 },
    lost: {},
  },
  {
    name: 'Newest goods first',
    key: 'search-order-carts',
    description: 'No difference to be found',
    flag_key: 'search-order',
    goal_event_key: 'cart-filled',
    control_variant: 'popular',
    rates: { popular: 0.3, newest: 0.3 },
    lost: {},
  },
  {
    name: 'Promise the day of delivery',
    key: 'delivery-promise-reviews',
    description: 'A broken split: the new page loses some of its visitors before it reports them',
    flag_key: 'delivery-promise',
    goal_event_key: 'review-written',
    control_variant: 'none',
    rates: { none: 0.06, 'exact-day': 0.07 },
    lost: { 'exact-day': 0.12 },
  },
]

/**
 * Creates the experiments and sends the history, unless it exists; an interrupted one is completed.
 * `call(method, path, body)` calls the API below the environment, fails on a refusal and returns null for a
 * 404. `print` receives each per cent.
 */
export async function seedHistory({ call, flags, print }) {
  // The last experiment is created when everything is there.
  const [first, ...later] = EXPERIMENTS
  if (await call('GET', `experiments/${later.at(-1).key}`)) return
  // The first experiment has the end of the history, also when it is completed later.
  const begun = await createOnce(call, first)
  const lines = await cutWhatIsThere(call, inventHistory(flags, Date.parse(begun.created_at)))
  const total = lines.reduce((sum, { rows }) => sum + rows.length, 0)
  let sent = 0
  let percent = 0
  // In sequence for each line: what has arrived is its beginning.
  const send = async ({ path, rows }) => {
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH)
      await call('POST', path, batch)
      sent += batch.length
      const reached = Math.floor((100 * sent) / total)
      if (reached > percent) print(reached)
      percent = reached
    }
  }
  await Promise.all(lines.map(send))
  for (const experiment of later) await createOnce(call, experiment)
}

async function createOnce(call, { lost, rates, ...experiment }) {
  const found = await call('GET', `experiments/${experiment.key}`)
  return found ?? (await call('POST', 'experiments', experiment))
}

/**
 * Returns the rows of each flag and each goal, in the order of time, without those at the start that the
 * environment already has.
 */
async function cutWhatIsThere(call, { goals, impressions }) {
  const flagTotals = new Map(
    (await call('GET', 'impressions/stats')).map((each) => [each.flag_key, each.total]),
  )
  const goalTotals = new Map((await call('GET', 'events/keys')).map((each) => [each.event_key, each.total]))
  return EXPERIMENTS.flatMap(({ flag_key, goal_event_key }) => [
    {
      path: 'impressions',
      rows: impressions.filter((row) => row.flag_key === flag_key).slice(flagTotals.get(flag_key) ?? 0),
    },
    {
      path: 'events',
      rows: goals
        .filter((row) => row.event_key === goal_event_key)
        .slice(goalTotals.get(goal_event_key) ?? 0),
    },
  ])
}

/**
 * Creates the history, in the order of time. It is the same on every machine, except for the day on which it
 * ends.
 */
function inventHistory(flags, nowMs) {
  const random = createRandom(SEED)
  // Evaluates like the shop, so that the shop's own visitors keep their variants.
  const client = createClient({ url: '', sdkKey: '', offline: true, bootstrap: flags })
  const impressions = []
  const goals = []
  for (let user = 1; user <= USERS; user += 1) {
    const user_id = `visitor-${user}`
    const visits = inventVisits(random, nowMs)
    for (const { flag_key, goal_event_key, lost, rates } of EXPERIMENTS) {
      const value = client.getVariant(flag_key, user_id)
      if (random() < (lost[value] ?? 0)) continue
      for (const at of visits) impressions.push({ flag_key, user_id, value, evaluated_at: at })
      if (random() >= (rates[value] ?? 0)) continue
      const at = Math.min(nowMs, visits[0] + Math.ceil(random() * 40 * MINUTE_MS))
      goals.push({ event_key: goal_event_key, user_id, value: priceOf(random), occurred_at: at })
    }
  }
  return { impressions: inOrder(impressions, 'evaluated_at'), goals: inOrder(goals, 'occurred_at') }
}

/** Creates one to three visits, the first on any day, more as the month goes on, mostly during the day. */
function inventVisits(random, nowMs) {
  const firstDay = DAYS * Math.sqrt(random())
  const visits = [firstDay]
  while (visits.length < 3 && random() < 0.3) visits.push(visits.at(-1) + 7 * random())
  return visits
    .filter((day) => day <= DAYS)
    .map((day) => {
      const midnight = nowMs - (DAYS - Math.floor(day)) * DAY_MS - (nowMs % DAY_MS)
      const hour = 7 + 8 * (random() + random())
      return Math.min(nowMs - HOUR_MS, midnight + hour * HOUR_MS)
    })
}

const priceOf = (random) => Math.round(500 + 9_500 * random() * random()) / 100

const inOrder = (rows, field) =>
  rows
    .sort((one, other) => one[field] - other[field])
    .map((row) => ({ ...row, [field]: new Date(row[field]).toISOString() }))
