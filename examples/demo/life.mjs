/**
 * The actions of two people in the demo: flags in three environments, a history, requests, plans, and
 * receivers of events.
 */
import { DRIFT } from './drift.mjs'
import { FLAGS, OLD_FLAG, SEGMENTS } from './flags.mjs'
import { EXPERIMENT_FLAGS } from './history.mjs'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const at = (environment, path) => `environments/${environment.id}/${path}`

/**
 * Creates missing segments and flags in all environments. It reads everything once, so that a second run is
 * fast.
 */
export async function seedFlags({ admin, editor, environments }) {
  for (const slug of ['production', 'staging', 'development']) {
    const environment = environments[slug]
    const has = async (path) => new Set((await admin('GET', at(environment, path))).map(({ key }) => key))
    const [segments, flags] = [await has('segments'), await has('flags')]
    for (const segment of SEGMENTS) {
      if (!segments.has(segment.key)) await admin('POST', at(environment, 'segments'), segment)
    }
    for (const [index, flag] of [...FLAGS, ...EXPERIMENT_FLAGS].entries()) {
      const drift = DRIFT[slug]?.[flag.key]
      if (flags.has(flag.key) || drift === null) continue
      const by = index % 3 === 1 ? editor : admin
      await by('POST', at(environment, 'flags'), { ...flag, ...drift })
    }
  }
}

/** Changes of the first weeks, so that histories and the audit log have entries. */
const CHANGES = [
  ['editor', 'express-delivery', { rollout_percentage: 5 }],
  ['editor', 'express-delivery', { rollout_percentage: 20, tags: ['shipping', 'rollout'] }],
  ['admin', 'express-delivery', { rollout_percentage: 40 }],
  ['editor', 'review-photos', { rollout_percentage: 5 }],
  ['editor', 'review-photos', { rollout_percentage: 10, owner_email: 'editor@example.com' }],
  ['admin', 'maintenance-banner', { is_enabled: true }],
  ['admin', 'maintenance-banner', { is_enabled: false }],
  ['editor', 'gift-cards', { description: 'Sell and take gift cards, also at the harbour' }],
  ['admin', 'login-attempts', { default_value: 8 }],
  ['admin', 'login-attempts', { default_value: 5 }],
  ['editor', 'support-channel', { default_value: 'chat' }],
  ['admin', 'support-channel', { default_value: 'mail' }],
]

/** Makes the changes that happen once. `OLD_FLAG` is archived at the end, which marks them as done. */
export async function seedHistoryOfChanges({ admin, editor, environments }) {
  const { production, staging } = environments
  const old = await admin('GET', at(production, `flags/${OLD_FLAG.key}`))
  if (old?.archived_at) return
  const people = { admin, editor }
  for (const [person, key, patch] of CHANGES) {
    await people[person]('PATCH', at(production, `flags/${key}`), patch)
  }
  await editor('POST', at(staging, 'flags/goods-per-page/promote'), {
    target_env_id: environments.development.id,
  })
  await seedRequests({ admin, editor, staging, project_id: environments.project_id })
  await seedFinishedPlans({ editor, production })
  if (!old) await editor('POST', at(production, 'flags'), OLD_FLAG)
  await editor('POST', at(production, `flags/${OLD_FLAG.key}/archive`))
}

/**
 * Staging requires approval for every change; there is one request of each outcome, and three are pending.
 */
async function seedRequests({ admin, editor, staging, project_id }) {
  await admin('POST', `projects/${project_id}/environments/${staging.id}/require-approval`, {
    require_approval: true,
    approval_scope: 'all',
  })
  const requestChange = (by, key, patch) => by('PATCH', at(staging, `flags/${key}`), patch)
  const decide = (by, { id }, verb, body) => by('POST', at(staging, `change-requests/${id}/${verb}`), body)
  const approved = await requestChange(editor, 'harbour-pickup', { rollout_percentage: 50 })
  await decide(admin, approved, 'approve')
  const rejected = await requestChange(editor, 'payments', { is_enabled: false })
  await decide(admin, rejected, 'reject', { reason: 'The load test needs payments until Friday.' })
  const withdrawn = await requestChange(editor, 'gift-cards', { tags: ['checkout', 'spring'] })
  await editor('DELETE', at(staging, `change-requests/${withdrawn.id}`))
  await requestChange(editor, 'express-delivery', {
    rollout_percentage: 80,
    rules: [{ segment_key: 'nordic-customers' }, { segment_key: 'big-spenders' }],
  })
  await requestChange(editor, 'recommendation-engine', {
    variants: [
      { weight: 40, value: 'bestsellers' },
      { weight: 40, value: 'similar' },
      { weight: 20, value: 'neural' },
    ],
  })
  await requestChange(admin, 'boat-configurator', { rollout_percentage: 25 })
}

/** Creates changes with a past time, which are applied immediately while the demo starts. */
async function seedFinishedPlans({ editor, production }) {
  const passed = new Date(Date.now() - HOUR_MS).toISOString()
  const plan = (key, patch) =>
    editor('POST', at(production, `flags/${key}/scheduled-changes`), { scheduled_at: passed, patch })
  await plan('live-stock', { rollout_percentage: 50 })
  await plan('season-campaign', { is_enabled: true })
}

/** Creates new plans when none is pending any more, so that there are always future ones. */
export async function seedPlans({ admin, editor, environments: { production } }) {
  const plans = await admin('GET', at(production, 'scheduled-changes'))
  if (plans.some(({ executed_at }) => executed_at === null)) return
  const morning = new Date(Date.now() - (Date.now() % DAY_MS) + DAY_MS + 6 * HOUR_MS).getTime()
  for (const [by, days, key, patch] of [
    [editor, 0, 'new-checkout', { is_enabled: true, rollout_percentage: 10 }],
    [editor, 2, 'new-checkout', { rollout_percentage: 50 }],
    [admin, 3, 'express-delivery', { rollout_percentage: 60 }],
    [admin, 5, 'gift-cards', { tags: ['checkout', 'spring'] }],
    [editor, 9, 'season-campaign', { is_enabled: false }],
    [admin, 16, 'harbour-pickup', { is_enabled: true }],
  ]) {
    const scheduled_at = new Date(morning + days * DAY_MS).toISOString()
    await by('POST', at(production, `flags/${key}/scheduled-changes`), { scheduled_at, patch })
  }
}

/**
 * Connects programs and chats that receive events. They run in this process, whose port may differ from the
 * last time.
 */
export async function seedReceivers({ admin, environments: { production }, receiverUrl }) {
  const webhooks = await admin('GET', at(production, 'webhooks'))
  const isElsewhere = webhooks.some(({ url }) => !url.startsWith(receiverUrl))
  for (const [name, path] of [
    ['Deploy bot', '/flaky'],
    ['Cache of the shop', '/cache'],
  ]) {
    const url = receiverUrl + path
    const known = webhooks.find((webhook) => webhook.name === name)
    if (!known) await admin('POST', at(production, 'webhooks'), { name, url, secret: 'kept-between-us' })
    else if (known.url !== url) await admin('PATCH', at(production, `webhooks/${known.id}`), { url })
  }
  const integrations = await admin('GET', at(production, 'integrations'))
  for (const [kind, name, events] of [
    ['slack', '#releases', []],
    ['teams', 'Shop team', ['change_request.opened', 'flag.deleted', 'flag.promoted']],
  ]) {
    const webhook_url = `${receiverUrl}/${kind}/0123456789`
    const known = integrations.find((integration) => integration.name === name)
    const body = { kind, name, webhook_url, events }
    if (!known) {
      const created = await admin('POST', at(production, 'integrations'), body)
      await admin('POST', at(production, `integrations/${created.id}/test`))
    } else if (isElsewhere) await admin('PATCH', at(production, `integrations/${known.id}`), { webhook_url })
  }
}

/** Sends two weeks of impressions of flags without experiments. `ingest` reports like an SDK. */
export async function seedActivity({ ingest, random }) {
  const stats = await ingest('GET', 'impressions/stats')
  const seen = new Set(stats.map(({ flag_key }) => flag_key))
  const rows = ACTIVITY.filter(([key]) => !seen.has(key)).flatMap(([key, perDay, ...values]) =>
    Array.from({ length: 14 * perDay }, () => ({
      flag_key: key,
      user_id: `visitor-${1 + Math.floor(random() * 400)}`,
      value: values[Math.floor(random() * values.length)],
      evaluated_at: new Date(Date.now() - Math.floor(14 * DAY_MS * random())).toISOString(),
    })),
  )
  for (let from = 0; from < rows.length; from += 500) {
    await ingest('POST', 'impressions', rows.slice(from, from + 500))
  }
}

/** @type {[key: string, perDay: number, ...values: string[]][]} */
const ACTIVITY = [
  ['payments', 90, 'true', 'true', 'true', 'false'],
  ['express-delivery', 40, 'true', 'false'],
  ['recommendation-engine', 60, 'bestsellers', 'bestsellers', 'similar', 'neural'],
  ['goods-per-page', 30, '24', '36', '48'],
  ['review-photos', 12, 'true', 'false', 'false'],
  ['live-stock', 25, 'true', 'false'],
]
