import type { DashboardServer } from './open-dashboard.ts'

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>
interface Workplace {
  readonly admin: Call
  readonly editor: Call
  readonly environments: Readonly<Record<string, unknown>>
}
interface DemoLife {
  seedFlags(workplace: Workplace): Promise<void>
  seedHistoryOfChanges(workplace: Workplace): Promise<void>
  seedPlans(workplace: Workplace): Promise<void>
  seedActivity(options: { readonly ingest: Call; readonly random: () => number }): Promise<void>
}
interface DemoPeople {
  signIn(url: string, person: { readonly email: string; readonly password: string }): Promise<Call>
}

const load = (file: string): Promise<unknown> =>
  import(new URL(`../../../examples/demo/${file}`, import.meta.url).href)

/** Fills a test's server with what the demo has, so that no page is empty. */
export async function seedDemo(server: DashboardServer): Promise<void> {
  const life = (await load('life.mjs')) as DemoLife
  const { signIn } = (await load('people.mjs')) as DemoPeople
  const editor = await server.addPerson('editor', 'editor')
  const list: { slug: string; id: string }[] = await server.call(
    'GET',
    `/api/projects/${server.project_id}/environments`,
  )
  const admin: Call = (method, path, body) => server.call(method, `/api/${path}`, body)
  const workplace = {
    admin: orNull(admin),
    editor: await signIn(server.url, editor),
    environments: {
      project_id: server.project_id,
      ...Object.fromEntries(list.map((environment) => [environment.slug, environment])),
    },
  }
  await life.seedFlags(workplace)
  await life.seedHistoryOfChanges(workplace)
  await life.seedPlans(workplace)
  const production = `environments/${server.environments.production}`
  await life.seedActivity({
    ingest: (method, path, body) => admin(method, `${production}/${path}`, body),
    random: () => 0.4,
  })
  await admin('POST', `${production}/webhooks`, { name: 'Deploy bot', url: 'http://127.0.0.1:9/' })
  await admin('POST', `${production}/integrations`, {
    kind: 'slack',
    name: '#releases',
    webhook_url: 'http://127.0.0.1:9/x',
  })
  await seedExperiment(admin, production)
}

async function seedExperiment(admin: Call, production: string): Promise<void> {
  const users = Array.from({ length: 60 }, (_, index) => `visitor-${index}`)
  const value = (index: number) => ['sea', 'coral', 'meadow'][index % 3]
  const impressions = users.map((user_id, index) => ({
    flag_key: 'banner-colour',
    user_id,
    value: value(index),
  }))
  await admin('POST', `${production}/impressions`, impressions)
  const goals = users.filter((_, index) => index % 4 === 0)
  await admin(
    'POST',
    `${production}/events`,
    goals.map((user_id) => ({ event_key: 'order-placed', user_id })),
  )
  await admin('POST', `${production}/experiments`, {
    name: 'Which banner sells best?',
    key: 'banner-sales',
    flag_key: 'banner-colour',
    goal_event_key: 'order-placed',
    control_variant: 'sea',
  })
}

/** The demo's way to request things that may not be there. */
const orNull =
  (call: Call): Call =>
  (method, path, body) =>
    call(method, path, body).catch((error: unknown) => {
      if (error instanceof Error && error.message.includes(': 404 ')) return null
      throw error
    })
