import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon')

/**
 * Requests the URL repeatedly from its own process; resolves with autocannon's result, an object with
 * `requests.average` (a second), `latency`, `non2xx`, `errors`.
 */
export function load({ url, headers, connections, pipelining, seconds, method = 'GET', body = '' }) {
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  // `[<id>]` in a body becomes another id in each request.
  const bodyOptions = body === '' ? [] : ['-b', body, ...(body.includes('[<id>]') ? ['-I'] : [])]
  const numbers = ['-c', connections, '-p', pipelining, '-d', seconds].map(String)
  const child = spawn(
    process.execPath,
    [AUTOCANNON, '--json', '--no-progress', ...numbers, '-m', method, ...bodyOptions, ...headerOptions, url],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(printed))
      else reject(new Error(`autocannon ended with ${code}: ${printed}`))
    })
  })
}
