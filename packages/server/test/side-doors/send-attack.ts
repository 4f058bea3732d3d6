import { endpoints } from '@burgee/contract'
import type { Caller } from '../authorization/caller.ts'
import type { EndpointName } from '../authorization/observe.ts'
import type { TestServer } from '../harness/start-test-server.ts'
import type { Attack } from './attacks.ts'

/** Sends an attack; returns the status of its response, of a bulk call those of its keys. */
export async function sendAttack(
  server: TestServer,
  name: EndpointName,
  { headers }: Pick<Caller, 'headers'>,
  { body, params = {}, query }: Attack,
): Promise<readonly number[]> {
  const { method, path } = endpoints[name]
  const filled = path.replaceAll(/:(\w+)/g, (_, param: string) => String(params[param]))
  const answer = await server.call({
    method,
    path: query ? `${filled}?${new URLSearchParams(query)}` : filled,
    as: 'anonymous',
    headers,
    ...(body !== undefined && { body }),
  })
  const results: { status: number }[] | undefined = answer.body.results
  return results ? results.map(({ status }) => status) : [answer.status]
}
