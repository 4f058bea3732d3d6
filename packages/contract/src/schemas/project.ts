import { type Static, Type } from 'typebox'
import { Name, Timestamp, Uuid } from './common.ts'
import { Environment } from './environment.ts'
import { CreatedSdkKey } from './sdk-key.ts'

export const Project = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  environment_count: Type.Integer(),
  member_count: Type.Integer(),
  created_at: Timestamp,
})
export type Project = Static<typeof Project>

export const ProjectInput = Type.Object({ name: Name })

/** The new project with what it was seeded with; the key's full value is shown this once. */
export const CreatedProject = Type.Intersect([
  Project,
  Type.Object({ environments: Type.Array(Environment), sdk_key: CreatedSdkKey }),
])
export type CreatedProject = Static<typeof CreatedProject>
