import { Type } from 'typebox'
import { IntegerId, Key, Uuid } from '../schemas/common.ts'

export const projectParams = Type.Object({ project_id: Uuid })
export const environmentParams = Type.Object({ env_id: Uuid })
export const keyedParams = Type.Object({ env_id: Uuid, key: Key })
export const sdkKeyParams = Type.Object({ project_id: Uuid, id: IntegerId })
