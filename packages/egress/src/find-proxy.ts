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

/** Returns whether a text is the address of a proxy: an http or https URL without a path. */
export function isProxyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { pathname, protocol, search } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && pathname === '/' && search === ''
}

/**
 * Returns the proxy through which a URL is requested. Null for http URLs, hosts of this machine and those of
 * `NO_PROXY`, and where the settings name no proxy.
 */
export function findProxy(url: URL, { HTTPS_PROXY = '', NO_PROXY = '' }: ProxySettings): URL | null {
  if (url.protocol !== 'https:' || !isProxyUrl(HTTPS_PROXY.trim()) || LOOPBACK.test(url.hostname)) return null
  const isDirect = NO_PROXY.split(',').some((entry) => matches(entry.trim().toLowerCase(), url))
  return isDirect ? null : new URL(HTTPS_PROXY.trim())
}

/** An entry is a host, or a domain with all hosts below it; a port at its end must be that of the URL. */
function matches(entry: string, { hostname, port }: URL): boolean {
  if (entry === '*') return true
  const [, host = '', wanted] = /^\*?\.?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
  if (host === '' || (wanted !== undefined && wanted !== (port || HTTPS_PORT))) return false
  return hostname === host || hostname.endsWith(`.${host}`)
}
