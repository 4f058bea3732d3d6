import { Agent } from 'node:http'
import { endpoints } from '@burgee/contract'
import { createChecker } from './check-response.ts'
import { type Draft, writeOut } from './draft.ts'
import { makeHostile } from './hostile-requests.ts'
import { createRandom, seedOf } from './random.ts'
import { sendWireRequest } from './send-wire-request.ts'
import { toCurl } from './to-curl.ts'

/** Too short, so that set-up stays incomplete until a mutation happens to lengthen it. */
const SHORT_PASSWORD = 'short'

/**
 * Sends hostile requests to the wizard of a fresh server, nearly all with its token. Returns the problems of
 * the responses.
 */
export async function runSetupFuzz(
  url: string,
  {
    count,
    seed,
    setup_token,
  }: { readonly count: number; readonly seed: number; readonly setup_token: string },
): Promise<string[]> {
  const check = createChecker()
  const agent = new Agent({ keepAlive: true })
  const problems: string[] = []
  for (let number = 0; number < count; number += 1) {
    const random = createRandom(seedOf(seed, number))
    const endpoint = random.chance(0.8) ? endpoints.completeSetup : endpoints.getSetup
    const draft: Draft = {
      method: endpoint.method,
      template: endpoint.path,
      params: {},
      query: '',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${random.chance(0.95) ? setup_token : 'another'}`,
        'x-forwarded-for': `10.0.${random.integer(0, 255)}.${random.integer(0, 255)}`,
      },
      body: endpoint.method === 'POST' ? setUpBody() : undefined,
      invited: [],
      how: [],
    }
    const hostile = makeHostile(random, draft, {})
    const request = writeOut(hostile)
    const answer = await sendWireRequest({ agent, url }, request)
    const found = check(request, answer, hostile.invited)
    problems.push(
      ...found.map((problem) => `${problem} (${hostile.how.join(', ')}): ${toCurl(url, request)}`),
    )
  }
  agent.destroy()
  return problems
}

const setUpBody = () => ({
  workspace_name: 'Fuzz',
  project_name: 'Fuzz',
  admin: { name: 'Ada', email: 'ada@example.com', password: SHORT_PASSWORD },
})
