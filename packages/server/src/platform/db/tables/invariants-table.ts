import type { Invariant } from '@burgee/contract'
import type { Json, NullableJson } from './json-column.ts'

export interface InvariantsTable {
  project_id: string
  key: string
  description: string | null
  environments: NullableJson<string[]>
  demand: Json<Pick<Invariant, 'flag' | 'when' | 'never' | 'only' | 'shape' | 'at_most' | 'implies'>>
  enforcement: 'block' | 'warn'
  created_by: string
  created_at: string
}
