import { CommandError } from '../command-error.ts'

/** Why there was no whole response, and what to do about it. Neither has text of the network libraries. */
export interface ConnectionProblem {
  /** Ends without a period. */
  readonly reason: string
  readonly advice: string
}

const CA_FILE = 'NODE_EXTRA_CA_CERTS=<file.pem>'
const CHECK = 'Check --url and that the server runs.'
const CHECK_NETWORK = 'Check the network and --url.'
const NOT_HTTPS = 'Write http:// in --url when the server has no TLS; otherwise check the port.'

const UNKNOWN_AUTHORITY: ConnectionProblem = {
  reason: 'its TLS certificate is from an authority that this machine does not know',
  advice: `Set ${CA_FILE} to the certificate of that authority. When it is a public one, the server does not send its intermediate certificates.`,
}
const SELF_SIGNED: ConnectionProblem = {
  reason: 'its TLS certificate is self-signed',
  advice: `Set ${CA_FILE} to a file with that certificate.`,
}
const NO_TLS: ConnectionProblem = { reason: 'there is no TLS at this address', advice: NOT_HTTPS }
const CLOSED: ConnectionProblem = {
  reason: 'the connection was closed before the response was complete',
  advice: 'Write https:// in --url when the server has TLS; otherwise check the server and the proxy.',
}
const TOO_LATE: ConnectionProblem = { reason: 'it did not respond in time', advice: CHECK }

/** Problems by the codes of sockets, name servers, TLS and the HTTP client. */
const BY_CODE: Readonly<Record<string, ConnectionProblem>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: {
    reason: 'its TLS certificate has expired',
    advice: 'Renew the certificate of the server, and check the clock of this machine.',
  },
  CERT_NOT_YET_VALID: {
    reason: 'its TLS certificate is not valid yet',
    advice: 'Check the clock of this machine, and the certificate of the server.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'its TLS certificate is for another host name',
    advice: 'Write a name of the certificate in --url, or give the server a certificate for this name.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ECONNREFUSED: { reason: 'no program listens there', advice: CHECK },
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ENOTFOUND: { reason: 'there is no host of this name', advice: CHECK_NETWORK },
  EAI_AGAIN: { reason: 'the name servers do not respond', advice: CHECK_NETWORK },
  EHOSTUNREACH: { reason: 'there is no way to this host', advice: CHECK_NETWORK },
  ENETUNREACH: { reason: 'there is no way to this network', advice: CHECK_NETWORK },
  ETIMEDOUT: TOO_LATE,
  UND_ERR_CONNECT_TIMEOUT: TOO_LATE,
  UND_ERR_HEADERS_TIMEOUT: TOO_LATE,
  UND_ERR_BODY_TIMEOUT: TOO_LATE,
}

/** The errors of fetch that have a message and no code. */
const BY_MESSAGE: Readonly<Record<string, ConnectionProblem>> = {
  'unexpected redirect': {
    reason: 'it redirects to another address',
    advice: 'Write that address in --url: a token is sent to the named server only.',
  },
  'bad port': {
    reason: 'requests to its port are blocked, because programs other than web servers use it',
    advice: 'Write the port of the server in --url, or let the server listen on another one.',
  },
}

/** Explains why a request or its response failed. */
export function connectionProblem(error: unknown): ConnectionProblem {
  if (!(error instanceof Error)) return { reason: 'the connection failed', advice: CHECK }
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return TOO_LATE
  const code = codeOf(error)
  const known = BY_CODE[code ?? ''] ?? BY_MESSAGE[error.cause instanceof Error ? error.cause.message : '']
  if (known !== undefined) return known
  if (code?.startsWith('HPE_')) return { reason: 'the response is not HTTP', advice: CHECK }
  if (code !== null && TLS_CODE.test(code))
    return { reason: `the TLS connection failed (${code})`, advice: 'Check the certificate of the server.' }
  return { reason: `the connection failed${code === null ? '' : ` (${code})`}`, advice: CHECK }
}

const TLS_CODE = /^ERR_(?:SSL|TLS)_|^EPROTO$|CERT|SIGNATURE|CRL|INVALID_CA|PATH_LENGTH/

/** Returns the error of a command whose request to the server failed. */
export function unreachable(url: string, error: unknown): CommandError {
  const { advice, reason } = connectionProblem(error)
  return new CommandError(`${url} cannot be reached: ${reason}. ${advice}`)
}

/** Returns the code of an error or of what caused it. One for several addresses has the codes inside. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError)
    return error.errors.map(codeOf).find((code) => code !== null) ?? codeOf(error.cause)
  return codeOf(error.cause)
}
