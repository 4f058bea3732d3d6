import { createHmac } from 'node:crypto'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { equalSecrets } from '../../platform/crypto/equal-secrets.ts'

/** Tickets for event streams. An SDK key never is in an address, which proxies log. */
export interface Tickets {
  issue(actor: Pick<SdkKeyActor, 'key_id'>): string
  /** Returns the id of the key, which is null for the legacy key; undefined for an invalid ticket. */
  open(ticket: string): number | null | undefined
}

interface TicketDeps {
  readonly clock: Pick<Clock, 'now'>
  /** 32 bytes, equal on every instance. */
  readonly secret: Uint8Array
  /** The setting SDK_KEY: its tickets end with its value. */
  readonly legacySdkKey: string | null
}

const VALID_SECONDS = 24 * 60 * 60
/** Tickets of one minute are equal, so that few have to be signed. */
const STEP_SECONDS = 60
const MS_PER_SECOND = 1000
const REMEMBERED_MAX = 10_000
const LEGACY = 'legacy'
const TICKET = /^(legacy|[1-9]\d{0,9})\.(\d{1,12})\.([\w-]{43})$/

export function createTickets({ clock, legacySdkKey, secret }: TicketDeps): Tickets {
  const issued = new Map<string, string>()
  const nowSeconds = () => Math.floor(clock.now().getTime() / MS_PER_SECOND)

  function sign(text: string): string {
    const own = text.startsWith(LEGACY) ? `${text}.${legacySdkKey ?? ''}` : text
    return createHmac('sha256', secret).update(own).digest('base64url')
  }

  return {
    issue({ key_id }) {
      const step = Math.ceil(nowSeconds() / STEP_SECONDS)
      const text = `${key_id ?? LEGACY}.${step * STEP_SECONDS + VALID_SECONDS}`
      const known = issued.get(text)
      if (known !== undefined) return known
      const ticket = `${text}.${sign(text)}`
      if (issued.size >= REMEMBERED_MAX) issued.clear()
      issued.set(text, ticket)
      return ticket
    },
    open(ticket) {
      const [, id = '', expiry = '', signature = ''] = TICKET.exec(ticket) ?? []
      if (id === '' || !equalSecrets(sign(`${id}.${expiry}`), signature)) return undefined
      if (Number(expiry) < nowSeconds()) return undefined
      return id === LEGACY ? null : Number(id)
    },
  }
}
