/** What a request's path addresses, looked up once: the project, and the environment where the path names one. */
export interface ProjectScope {
  readonly project_id: string
  /** The calling user's role in the project; null without a membership and for SDK keys. */
  readonly membership: 'admin' | 'editor' | 'viewer' | null
  readonly environment: EnvironmentScope | null
}

export interface EnvironmentScope {
  readonly id: string
}
