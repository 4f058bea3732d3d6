/** The project that a request's path names, and the environment if it names one. It is looked up once. */
export interface ProjectScope {
  readonly project_id: string
  /** The caller's role in the project; null without a membership and for SDK keys. */
  readonly membership: 'admin' | 'editor' | 'viewer' | null
  readonly environment: EnvironmentScope | null
}

export interface EnvironmentScope {
  readonly id: string
}
