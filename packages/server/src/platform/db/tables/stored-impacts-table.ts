import type { Impact } from '@burgee/contract'
import type { Json } from './json-column.ts'

export interface StoredImpactsTable {
  environment_id: string
  /** `change_request:<id>` or `scheduled_change:<id>`. */
  subject: string
  impact: Json<Impact>
  computed_at: string
}
