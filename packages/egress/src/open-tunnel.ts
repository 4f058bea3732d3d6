import { request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { connect } from 'node:tls'

/** The time in which a tunnel must be open. */
const TUNNEL_MS = 30_000

/** The error when the proxy does not open a tunnel. */
export class ProxyRefused extends Error {
  constructor(status: number) {
    super(`the proxy of HTTPS_PROXY refused the connection with ${status}`)
    this.name = 'ProxyRefused'
  }
}

interface Tunnel {
  readonly proxy: URL
  readonly hostname: string
  readonly port: number
  /** Receives each socket before it is connected, so that an attempt that is ended leaves none behind. */
  readonly onSocket?: (socket: Socket) => void
}

/**
 * Opens a TLS connection to a host through a proxy (RFC 9110, section 9.3.6). It calls back once. The
 * certificate is that of the host, and is verified.
 */
export function openTunnel(
  { hostname, onSocket, port, proxy }: Tunnel,
  callback: (error: Error | null, socket?: Socket) => void,
): void {
  let isSettled = false
  const opened: Socket[] = []
  const own = (socket: Socket) => {
    opened.push(socket)
    onSocket?.(socket)
  }
  const settle = (error: Error | null, socket?: Socket) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(deadline)
    if (error !== null) for (const each of opened) each.destroy()
    callback(error, socket)
  }
  const deadline = setTimeout(() => settle(new Error('the proxy opened no tunnel in time')), TUNNEL_MS)
  const authority = `${hostname}:${port}`
  const request = proxy.protocol === 'https:' ? requestSecurely : requestPlainly
  const asked = request({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: authority,
    agent: false,
    headers: { host: authority, ...authorizationOf(proxy) },
  })
  asked.once('socket', own)
  asked.on('error', settle)
  asked.once('response', ({ statusCode = 0 }) => {
    settle(new ProxyRefused(statusCode))
  })
  asked.once('connect', ({ statusCode = 0 }, tunnel, head) => {
    if (statusCode !== 200) return settle(new ProxyRefused(statusCode))
    if (head.length > 0) tunnel.unshift(head)
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({
      socket: tunnel,
      ALPNProtocols: ['http/1.1'],
      // Certificates for addresses are requested without a name (RFC 6066). They are compared with the host.
      ...(isIP(host) === 0 ? { servername: host } : { host }),
    })
    own(socket)
    socket.once('secureConnect', () => settle(null, socket))
    socket.on('error', settle)
    socket.once('close', () => settle(new Error('closed while connecting')))
  })
  asked.end()
}

function authorizationOf({ password, username }: URL): { 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}
