import { type Endpoint, endpoints } from '@burgee/contract'

export interface FoundEndpoint {
  readonly name: string
  readonly endpoint: Endpoint
}

interface Pattern extends FoundEndpoint {
  readonly pattern: RegExp
  readonly paramCount: number
}

/**
 * Patterns with fewer parameters come first: a fixed segment has priority. A parameter may be empty, which
 * then names nothing.
 */
const PATTERNS: readonly Pattern[] = Object.entries<Endpoint>(endpoints)
  .map(([name, endpoint]) => ({
    name,
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]*')}$`),
    paramCount: endpoint.path.split(':').length,
  }))
  .sort((one, other) => one.paramCount - other.paramCount)

/** Returns the endpoint that a request reaches, by the contract and not by the server; undefined for none. */
export function findEndpoint(method: string, wirePath: string): FoundEndpoint | undefined {
  const path = routedPath(wirePath)
  if (path === null) return undefined
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = PATTERNS.find(({ endpoint, pattern }) => endpoint.method === wanted && pattern.test(path))
  // HEAD opens no stream.
  return method === 'HEAD' && found?.endpoint.produces === 'text/event-stream' ? undefined : found
}

/** Returns whether it is a path of the contract, with any method. */
export function isKnownPath(wirePath: string): boolean {
  const path = routedPath(wirePath)
  return path !== null && PATTERNS.some(({ pattern }) => pattern.test(path))
}

/**
 * Removes the absolute form and the fragment, and decodes percent-encoding except of delimiters (RFC 3986,
 * 6.2.2.2).
 */
function routedPath(wirePath: string): string | null {
  const [path = ''] = wirePath.replace(/^https?:\/\/[^/]*/, '').split(/[?#]/)
  try {
    return decodeURI(path)
  } catch {
    return null
  }
}
