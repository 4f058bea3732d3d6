import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { ENVIRONMENT_SLUG_PATTERN, PROJECT_SLUG_MAX_LENGTH } from '../limits.ts'
import { CreatedAt, Nullable, name, uuid } from './common.ts'
import { Environment } from './environment.ts'
import { CreatedSdkKey } from './sdk-key.ts'

export const Project = Type.Object(
  {
    id: uuid({ description: 'Names the project in paths', readOnly: true }),
    name: Type.String(),
    slug: Type.String({
      description: 'Given at creation or made from the first name; unique, and a rename keeps it',
      readOnly: true,
    }),
    environment_count: Type.Integer({ description: 'The number of its environments', readOnly: true }),
    member_count: Type.Integer({
      description: 'Users with a role in it; workspace admins need none',
      readOnly: true,
    }),
    created_at: CreatedAt,
  },
  { examples: [EXAMPLE_SHOP.project] },
)
export type Project = Static<typeof Project>

const projectName = name({ description: 'The display name; not blank' })

/** Body of PATCH. */
export const ProjectInput = Type.Object(
  { name: projectName },
  { examples: [{ name: EXAMPLE_SHOP.project.name }] },
)

/** Body of POST. */
export const NewProjectInput = Type.Object(
  {
    name: projectName,
    slug: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: PROJECT_SLUG_MAX_LENGTH,
          pattern: ENVIRONMENT_SLUG_PATTERN,
          description:
            'Lower-case letters, digits and hyphens; made from the name when it is null or left out. Names without Latin letters are numbered: `project-2`',
        }),
      ),
    ),
  },
  { examples: [{ name: EXAMPLE_SHOP.project.name }] },
)

/** The new project with its environments and keys. Only this response has the full value of the keys. */
export const CreatedProject = Type.Intersect([
  Project,
  Type.Object({
    environments: Type.Array(Environment, { description: 'Production, Staging and Development' }),
    sdk_key: CreatedSdkKey,
  }),
])
export type CreatedProject = Static<typeof CreatedProject>
