import type { IncomingHttpHeaders } from 'node:http'
import { USER_AGENT_MAX_LENGTH } from '@burgee/contract'

/** Returns the program that a request names as its sender: not verified, and bounded. */
export const userAgentOf = (headers: Pick<IncomingHttpHeaders, 'user-agent'>): string | undefined =>
  headers['user-agent']?.slice(0, USER_AGENT_MAX_LENGTH)
