import { ProxyRefused } from '@burgee/egress'
import { errorCode } from '../log/error-code.ts'
import { BrokenOff } from './broken-off.ts'
import { TargetRefused } from './target-refused.ts'

/**
 * Messages by the codes of sockets, name servers and the HTTP client. Their own messages contain addresses,
 * these never do.
 */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was sent',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'connecting took too long',
  ENOTFOUND: 'the host name is unknown',
  ENODATA: 'the host name has no address',
  EAI_AGAIN: 'the name servers do not respond',
  ETIMEOUT: 'the name servers do not respond',
  ESERVFAIL: 'the name servers failed',
  HPE_HEADER_OVERFLOW: 'the headers of the response are too large',
  ERR_INVALID_CHAR: 'the request cannot be sent as it is',
  ERR_INVALID_HTTP_TOKEN: 'the request cannot be sent as it is',
  EPROTO: 'the receiver does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the receiver does not speak TLS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  CERT_HAS_EXPIRED: 'the certificate has expired',
}

/** Describes in one line why a request failed. The line contains no address and nothing that was sent. */
export function describeFailure(error: unknown): string {
  if (error instanceof TargetRefused) return `the host ${error.message}`
  if (error instanceof ProxyRefused) return error.message
  if (error instanceof BrokenOff || isHangUp(error)) return BROKEN_OFF
  const code = findCode(error)
  if (code === null) return 'the request failed'
  if (code.startsWith('HPE_') && !Object.hasOwn(BY_CODE, code)) return 'the response is not HTTP'
  return `${BY_CODE[code] ?? fallback(code)} (${code})`
}

const BROKEN_OFF = 'the connection was closed before the response was complete'

/**
 * Tests whether the receiver closed the connection. Node gives it the error code of a reset; only a reset has
 * a `syscall`.
 */
const isHangUp = (error: unknown): boolean =>
  errorCode(error) === 'ECONNRESET' && !(error instanceof Error && 'syscall' in error)

const fallback = (code: string): string =>
  /CERT|SIGNATURE|ISSUER/.test(code) ? 'the certificate is not trusted' : 'the request failed'

/**
 * Returns the code of an error. An error that combines several, one for each address that was tried, has the
 * code of the last or none.
 */
function findCode(error: unknown): string | null {
  const code = errorCode(error)
  if (code !== null) return code
  if (error instanceof AggregateError)
    return error.errors.map(findCode).find((found) => found !== null) ?? null
  return error instanceof Error && error.cause !== undefined ? findCode(error.cause) : null
}
