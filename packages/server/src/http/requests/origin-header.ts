import type { IncomingHttpHeaders } from 'node:http'

/** Names the kind of program that makes a change, for the audit log. Other values are ignored. */
export const ORIGIN_HEADER = 'x-burgee-origin'

/** Returns the origin that a request names. */
export const originOf = (headers: IncomingHttpHeaders): 'mcp' | undefined =>
  headers[ORIGIN_HEADER] === 'mcp' ? 'mcp' : undefined
