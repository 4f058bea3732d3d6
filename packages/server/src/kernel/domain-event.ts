/** What webhooks and chat alerts tell of (specification, "Domain events"). */
export type DomainEventType =
  | 'flag.created'
  | 'flag.updated'
  | 'flag.deleted'
  | 'flag.promoted'
  | 'change_request.opened'
  | 'change_request.approved'
  | 'change_request.rejected'

/** `flag` is the flag after the change, `previous` before it; null where there is none. */
export interface DomainEvent {
  readonly type: DomainEventType
  readonly flag_key: string
  readonly flag: object | null
  readonly previous: object | null
  /** Where a promoted flag comes from. */
  readonly source_environment?: EnvironmentName
  /** As the API shows it, without its preview. */
  readonly change_request?: object
}

export interface EnvironmentName {
  readonly id: string
  readonly name: string
  readonly slug: string
}
