import type { DomainEventType } from '@burgee/contract'

/** A domain event. `flag` is the flag after the change, `previous` before it; null when there is none. */
export interface DomainEvent {
  readonly type: DomainEventType
  readonly flag_key: string
  readonly flag: object | null
  readonly previous: object | null
  /** The environment that a promoted flag comes from. */
  readonly source_environment?: EnvironmentName
  /** The change request as the API shows it, without its preview. */
  readonly change_request?: object
}

export interface EnvironmentName {
  readonly id: string
  readonly name: string
  readonly slug: string
}
