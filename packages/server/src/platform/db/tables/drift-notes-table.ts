export interface DriftNotesTable {
  project_id: string
  flag_key: string
  /** The ids or slugs of the environments, as they were given. */
  source: string
  target: string
  reason: string
  owner_email: string
  expires_at: string | null
  created_by: string
  created_at: string
}
