import { STALE_DAYS_DEFAULT, STALE_DAYS_MAX, type StaleFlag } from '@burgee/contract'
import { Type } from 'typebox'
import { findPlace, findProject, flagKeyInput, placeInput } from '../place.ts'
import { SDKS, searchPatternsOf, writeSnippet } from '../snippets.ts'
import { type Tool, tool } from '../tool.ts'

const STALE_MAX = 50

const projectInput = {
  project: placeInput.project,
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: STALE_DAYS_MAX,
      description: `The days that are looked at, ${STALE_DAYS_DEFAULT} by default`,
    }),
  ),
}

export const LIFECYCLE_TOOLS: readonly Tool[] = [
  tool({
    name: 'stale_flags',
    title: 'Stale flags',
    description:
      'Lists flags of a project that may be removed, with the verdict over all environments (remove: proved; ask: a person decides), the evidence, the value to keep and what needs them. Reported evaluations are those of computed_at, up to an hour ago.',
    input: Type.Object(projectInput),
    access: 'read',
    async run({ days, project }, { api }) {
      const { id, slug } = await findProject(api, project)
      const input = { params: { project_id: id }, query: daysOf(days) }
      const { body, header } = await api.send('listStaleFlags', input)
      const stale = [...withVerdict(body, 'remove'), ...withVerdict(body, 'ask')]
      const computed_at = header('x-computed-at')
      return { data: { project: slug, computed_at, flags: stale.slice(0, STALE_MAX), count: stale.length } }
    },
  }),
  tool({
    name: 'cleanup_plan',
    title: 'Plan the removal of a flag',
    description:
      'Returns how to remove a flag from all environments: the verdict with its evidence, the value to keep, what needs it, the known places in code, what to search for, and the steps, code first.',
    input: Type.Object({ ...projectInput, flag_key: flagKeyInput }),
    access: 'read',
    async run({ days, flag_key, project }, { api }) {
      const { id, slug } = await findProject(api, project)
      const params = { project_id: id, key: flag_key }
      const plan = await api.call('getCleanupPlan', { params, query: daysOf(days) })
      return { data: { project: slug, ...plan, search_for: searchPatternsOf(flag_key) } }
    },
  }),
  tool({
    name: 'snippet',
    title: 'Code for a flag',
    description: 'Returns code that reads a flag with an SDK or framework.',
    input: Type.Object({
      ...placeInput,
      flag_key: flagKeyInput,
      sdk: Type.Enum([...SDKS], { description: 'The SDK or framework' }),
    }),
    access: 'read',
    async run({ flag_key, sdk, ...wanted }, { api }) {
      const { env_id } = await findPlace(api, wanted)
      const { flag_type } = await api.call('getFlag', { params: { env_id, key: flag_key } })
      return { text: writeSnippet(sdk, flag_key, flag_type) }
    },
  }),
]

const daysOf = (days: number | undefined) => (days === undefined ? {} : { days })

const withVerdict = (flags: readonly StaleFlag[], wanted: StaleFlag['verdict']): StaleFlag[] =>
  flags.filter(({ verdict }) => verdict === wanted)
