import { CLIENT_TEXT_MAX_LENGTH } from '@burgee/contract'
import { isUuid } from '../../kernel/is-uuid.ts'

/** The name of the header with which a client states who it is. */
export const CLIENT_HEADER = 'x-burgee-client'
/** The name of the header with which the server accepts confirmations. */
export const ACK_HEADER = 'x-burgee-ack'

/** The description of a client by itself. */
export interface ClientDescription {
  readonly client_id: string
  readonly app: string
  readonly sdk: string
  readonly instance: string
}

const HEADER_MAX_LENGTH = 2_000
const CONTROL = /\p{Cc}/gu

/**
 * Parses `id=<uuid>, app=checkout, sdk=js/1.4.0, instance=host-1`, with percent-encoded values. Null without
 * a valid id: such a client does not confirm.
 */
export function parseClientHeader(text: string | readonly string[] | undefined): ClientDescription | null {
  if (typeof text !== 'string' || text.length > HEADER_MAX_LENGTH) return null
  const fields = new Map<string, string>()
  for (const part of text.split(',')) {
    const [name = '', ...value] = part.split('=')
    fields.set(name.trim(), value.join('=').trim())
  }
  const client_id = (fields.get('id') ?? '').toLowerCase()
  if (!isUuid(client_id)) return null
  const textOf = (name: string) => shorten(decode(fields.get(name) ?? ''))
  return { client_id, app: textOf('app'), sdk: textOf('sdk'), instance: textOf('instance') }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const shorten = (text: string): string =>
  [...text.replace(CONTROL, ' ')].slice(0, CLIENT_TEXT_MAX_LENGTH).join('')
