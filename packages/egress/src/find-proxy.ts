/** The settings of a proxy for outgoing requests, as other programs read them from the environment. */
export interface ProxySettings {
  /** The address of the proxy: `http://user:password@proxy.internal:3128`. Absent or blank for none. */
  readonly HTTPS_PROXY?: string | undefined
  /**
   * Hosts that are reached directly, separated by commas: `internal.example.com, .svc, 10.1.2.3`; `*` for
   * all.
   */
  readonly NO_PROXY?: string | undefined
}

const HTTPS_PORT = '443'
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns whether a text is the address of a proxy: an http or https URL without a path, or a host and a
 * port.
 */
export const isProxyUrl = (text: string): boolean => toProxy(text) !== null

/** A text without a scheme is an http address, as other programs take it. */
function toProxy(text: string): URL | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  return isHttp && url.pathname === '/' && url.search === '' ? url : null
}

/**
 * Returns the proxy through which a URL is requested. Null for http URLs, hosts of this machine and those of
 * `NO_PROXY`, and where the settings name no proxy.
 */
export function findProxy(url: URL, { HTTPS_PROXY = '', NO_PROXY = '' }: ProxySettings): URL | null {
  const proxy = toProxy(HTTPS_PROXY.trim())
  if (proxy === null || url.protocol !== 'https:' || LOOPBACK.test(url.hostname)) return null
  const isDirect = NO_PROXY.split(',').some((entry) => matches(entry.trim().toLowerCase(), url))
  return isDirect ? null : proxy
}

/** An entry is a host, or a domain with all hosts below it; a port at its end must be that of the URL. */
function matches(entry: string, { hostname, port }: URL): boolean {
  if (entry === '*') return true
  const [, host = '', wanted] = /^\*?\.?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
  if (host === '' || (wanted !== undefined && wanted !== (port || HTTPS_PORT))) return false
  return hostname === host || hostname.endsWith(`.${host}`)
}
