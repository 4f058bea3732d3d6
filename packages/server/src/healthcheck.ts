import { request } from 'node:http'

/** The health check of a container: exit code 0 when the server on this machine responds, and 1 otherwise. */
const TIMEOUT_MS = 4_000
const WILDCARDS = ['', '0.0.0.0', '::']

const { HOST = '', PORT } = process.env
const check = request({
  host: WILDCARDS.includes(HOST.trim()) ? '127.0.0.1' : HOST.trim(),
  port: Number(PORT?.trim() || '3000'),
  path: '/health',
  signal: AbortSignal.timeout(TIMEOUT_MS),
})
check.on('response', (response) => {
  if (response.statusCode !== 200) fail(`the status is ${response.statusCode}`)
  response.resume()
})
check.on('error', (error) => fail(error.message))
check.end()

function fail(reason: string): void {
  console.error(`The server does not respond: ${reason}`)
  process.exitCode = 1
}
