import { Type } from 'typebox'
import { findPlace, findProject, flagKeyInput, placeInput } from '../place.ts'
import { summarizeFlag } from '../summarize-flag.ts'
import { type Tool, ToolError, tool } from '../tool.ts'

const SEARCH_MAX = 200
const FOUND_MAX = 50
const USER_KEY_MAX = 1_024

export const READ_TOOLS: readonly Tool[] = [
  tool({
    name: 'find_flags',
    title: 'Find flags',
    description: 'Lists flags of an environment with their state, revision and whether they look stale.',
    input: Type.Object({
      ...placeInput,
      query: Type.Optional(
        Type.String({ maxLength: SEARCH_MAX, description: 'A part of the key or the description' }),
      ),
      tag: Type.Optional(Type.String({ maxLength: SEARCH_MAX, description: 'Flags with this tag' })),
      archived: Type.Optional(Type.Boolean({ description: 'Archived flags in place of active ones' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FOUND_MAX, description: 'At most 50' })),
    }),
    access: 'read',
    async run({ archived = false, limit = FOUND_MAX, query, tag, ...wanted }, { api }) {
      const { env_id, name } = await findPlace(api, wanted)
      const flags = await api.call('listFlags', {
        params: { env_id },
        query: { archived, limit, ...(query && { q: query }), ...(tag && { tag }) },
      })
      return { data: { environment: name, flags: flags.map((flag) => summarizeFlag(flag, Date.now())) } }
    },
  }),
  tool({
    name: 'get_flag',
    title: 'Get a flag',
    description: 'Returns one flag with its rules, values and the revision that a write has to name.',
    input: Type.Object({ ...placeInput, flag_key: flagKeyInput }),
    access: 'read',
    async run({ flag_key, ...wanted }, { api }) {
      const { env_id, name } = await findPlace(api, wanted)
      const flag = await api.call('getFlag', { params: { env_id, key: flag_key } })
      return { data: { environment: name, stale: summarizeFlag(flag, Date.now()).stale, flag } }
    },
  }),
  tool({
    name: 'explain_evaluation',
    title: 'Explain an evaluation',
    description: 'Evaluates a flag for a user and returns each step to the value. Records nothing.',
    input: Type.Object({
      ...placeInput,
      flag_key: flagKeyInput,
      user_key: Type.Optional(
        Type.String({ maxLength: USER_KEY_MAX, description: 'Key of the user; none for an anonymous one' }),
      ),
      attributes: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Attributes of the user' }),
      ),
    }),
    access: 'read',
    async run({ attributes = {}, flag_key, user_key, ...wanted }, { api }) {
      const { env_id } = await findPlace(api, wanted)
      const result = await api.call('evaluateEnvironment', {
        params: { env_id },
        body: {
          flag_keys: [flag_key],
          trace: true,
          // The server reads whatever JSON it is.
          attributes: attributes as Record<string, never>,
          ...(user_key !== undefined && { user_key }),
        },
      })
      const [flag] = result.flags
      if (flag?.reason === 'FLAG_NOT_FOUND') throw new ToolError(`There is no flag ${flag_key} there.`)
      return { data: { revision: result.revision, at: result.at, evaluation: flag } }
    },
  }),
  tool({
    name: 'compare_environments',
    title: 'Compare environments',
    description: 'Lists the flags that differ between two environments of a project.',
    input: Type.Object({
      project: placeInput.project,
      source: Type.String({ description: 'Slug of an environment' }),
      target: Type.String({ description: 'Slug of another one' }),
    }),
    access: 'read',
    async run({ project, source, target }, { api }) {
      const { id, slug } = await findProject(api, project)
      const [from, to] = [
        await findPlace(api, { project: slug, environment: source }),
        await findPlace(api, { project: slug, environment: target }),
      ]
      const query = { source: from.env_id, target: to.env_id }
      const { flags } = await api.call('compareFlags', { params: { project_id: id }, query })
      const different = flags.filter(({ status }) => status !== 'same')
      return { data: { source: from.name, target: to.name, flags: different, count: different.length } }
    },
  }),
]
