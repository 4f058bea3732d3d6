import { once } from 'node:events'
import { createServer } from 'node:http'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi, putFlag } from '../../harness/call-api.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

const TIMES = { short: 3, full: 100 }
const SECRET = 'an-answer-that-only-this-machine-may-read'

export const fault: Fault = {
  group: 'credentials',
  title:
    'A leaked server key creates webhooks and chat alerts for an internal service and reads their delivery logs',
  promise: 'The logs show the status of each attempt and no part of the response.',
  async run(_stage, scale) {
    const { environmentId, headers, output, url } = await openPlace()
    const internal = await startInternalService()
    const broken: string[] = []
    const call = async (method: string, path: string, body?: unknown) =>
      (await callApi(url, method, `/api/environments/${environmentId}${path}`, body, headers)).body
    const times = countOf(scale, TIMES)
    for (let time = 0; time < times; time += 1) {
      const webhook = await call('POST', '/webhooks', { name: 'w', url: internal.url })
      const chat = { kind: 'slack', name: 'c', webhook_url: internal.url }
      const integration = await call('POST', '/integrations', chat)
      const tested = await call('POST', `/integrations/${integration.id}/test`)
      await putFlag(url, environmentId, { key: 'thing', rollout_percentage: time % 100 }, headers)
      const rows = await eventually(async () => {
        const logs = [
          ...(await call('GET', `/webhooks/${webhook.id}/deliveries`)),
          ...(await call('GET', `/integrations/${integration.id}/deliveries`)),
        ]
        return logs.length >= 3 && [tested, ...logs]
      })
      if (JSON.stringify(rows).includes(SECRET)) broken.push('The response of the service is in the log.')
      if (rows.some((row: { status_code: number }) => row.status_code !== 200))
        broken.push('A status is missing.')
      await call('DELETE', `/webhooks/${webhook.id}`)
      await call('DELETE', `/integrations/${integration.id}`)
    }
    internal.close()
    if (output().includes(SECRET)) broken.push("The answer of the service is in the server's output.")
    return {
      times: `${times} webhooks and ${times} chat alerts`,
      seen: `${internal.posts()} POST requests; their statuses were logged, their responses not`,
      broken: [...new Set(broken)],
    }
  },
}

/** Starts a service on this machine that responds to every caller with a secret. */
async function startInternalService() {
  let posts = 0
  const service = createServer((request, response) => {
    posts += 1
    request.resume().on('end', () => response.end(SECRET))
  })
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const address = service.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/admin`,
    posts: () => posts,
    close() {
      service.closeAllConnections()
      service.close()
    },
  }
}
