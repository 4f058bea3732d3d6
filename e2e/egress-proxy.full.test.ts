import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../packages/server/test/harness/eventually.ts'
import { HAS_OPENSSL, selfSigned } from '../packages/server/test/harness/self-signed.ts'
import { startIdentityProvider } from '../packages/server/test/single-sign-on/start-identity-provider.ts'
import { finish, ssoSettings } from '../packages/server/test/single-sign-on/start-sso-server.ts'
import { createVisitor } from '../packages/server/test/single-sign-on/visitor.ts'
import { callApi, environmentOf, putFlag, signIn } from './harness/call-api.ts'
import { cloneDatabase } from './harness/clone-database.ts'
import { freePort } from './harness/free-port.ts'
import { openStage } from './harness/open-stage.ts'
import { runProcess } from './harness/run-process.ts'
import { skipBecause } from './harness/skip-because.ts'
import { SDK_KEY, startServer } from './harness/start-server.ts'

const CLI = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))
const SDK = new URL('../packages/sdk/dist/index.node.js', import.meta.url).href
/** A name that only the proxy knows. */
const HOST = 'flags.burgee-test.invalid'

/** Starts a proxy that connects every host to one port of this machine, and notes which were requested. */
async function startProxy(port: () => number) {
  const asked: string[] = []
  const proxy = createServer()
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    const target = connect(port(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    for (const end of [socket, target]) end.on('error', () => end.destroy())
    socket.on('close', () => target.destroy())
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close())
  return { asked, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

test('the server, the command and the SDK send what leaves the network through HTTPS_PROXY', async (context) => {
  if (!HAS_OPENSSL) return skipBecause(context, 'openssl is not installed')
  const stage = openStage()
  const certificate = await selfSigned(HOST)
  const authority = join(stage.folder('certificates'), 'authority.pem')
  writeFileSync(authority, certificate.cert)
  let upstream = ''
  const received: string[] = []
  const front = createSecureServer(certificate, (request, response) => {
    if (request.url === '/hook') {
      received.push(String(request.headers['x-flagservice-event']))
      response.end()
      return
    }
    const { headers, method } = request
    const passed = sendRequest(upstream + request.url, { headers, method }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    front.closeAllConnections()
    front.close()
  })
  const proxy = await startProxy(() => (front.address() as AddressInfo).port)
  const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority }
  const server = await startServer(stage, { databaseUrl: await cloneDatabase(), env })
  upstream = server.url
  const environment_id = await environmentOf(server.url)
  await putFlag(server.url, environment_id, { key: 'through' })

  const admin = await signIn(server.url)
  const hook = { name: 'outside', url: `https://${HOST}/hook` }
  await callApi(server.url, 'POST', `/api/environments/${environment_id}/webhooks`, hook, admin)
  await putFlag(server.url, environment_id, { key: 'noticed' })
  await eventually(() => expect(received).toContain('flag.created'))
  expect(proxy.asked).toEqual([`${HOST}:443`])

  const run = (args: string[]) => {
    const program = runProcess(stage, process.execPath, { args, cwd: stage.folder('empty'), env })
    return program.exited.then((code) => ({ code, output: program.output() }))
  }
  const whoami = await run([CLI, 'whoami', '--url', `https://${HOST}`, '--token', SDK_KEY])
  expect(whoami).toMatchObject({ code: 0, output: expect.stringContaining('default-project/production') })
  const program = `
    const { createClient } = await import(${JSON.stringify(SDK)})
    const client = createClient({ url: 'https://${HOST}', sdkKey: '${SDK_KEY}' })
    await client.connect({ timeoutMs: 20_000 })
    console.log('value', client.isEnabled('through', 'ada'))
    await client.close()
    console.log('state', JSON.stringify(client.status.impressions))`
  const sdk = await run(['--input-type=module', '-e', program])
  expect(sdk).toMatchObject({ code: 0, output: expect.stringContaining('value true') })
  expect(sdk.output).toContain('state {"pending":0,"dropped":0}')
  expect(new Set(proxy.asked)).toEqual(new Set([`${HOST}:443`]))
})

test('a person signs in at an identity provider that only the proxy reaches', async (context) => {
  if (!HAS_OPENSSL) return skipBecause(context, 'openssl is not installed')
  const stage = openStage()
  const certificate = await selfSigned(HOST)
  const authority = join(stage.folder('certificates'), 'authority.pem')
  writeFileSync(authority, certificate.cert)
  const people = {
    grace: { email: 'grace@example.com', email_verified: true, name: 'Grace', groups: ['staff'] },
  }
  const provider = await startIdentityProvider({ issuer: `https://${HOST}`, people })
  onTestFinished(provider.close)
  const behindFront = { host: HOST, 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https' }
  const front = createSecureServer(certificate, (request, response) => {
    const { headers, method } = request
    const passed = sendRequest(
      provider.address + request.url,
      { method, headers: { ...headers, ...behindFront } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    front.closeAllConnections()
    front.close()
  })
  const proxy = await startProxy(() => (front.address() as AddressInfo).port)
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  provider.register(publicUrl)
  const server = await startServer(stage, {
    ...{ port, databaseUrl: await cloneDatabase() },
    env: {
      ...ssoSettings(provider.issuer, publicUrl),
      ...{ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority },
    },
  })
  const admin = await signIn(server.url)
  const [project] = (await callApi(server.url, 'GET', '/api/projects', undefined, admin)).body
  const mapping = { group: 'staff', role: 'viewer', project_id: project.id }
  const mapped = await callApi(server.url, 'POST', '/api/workspace/sso/mappings', mapping, admin)
  expect(mapped.status).toBe(200)

  // The browser is in another network, which knows the provider without the proxy.
  const visitor = createVisitor({}, (url, init) =>
    url.startsWith(provider.issuer)
      ? fetch(url.replace(provider.issuer, provider.address), {
          ...init,
          headers: { ...Object(init.headers), ...behindFront },
        })
      : fetch(url, init),
  )
  const callback = await visitor.logInAtProvider(`${publicUrl}/api/auth/sso/start`, 'grace')
  const { cookie, failure, status } = await finish(visitor, callback)
  expect({ status, failure }).toEqual({ status: 200, failure: null })
  const me = await callApi(server.url, 'GET', '/api/auth/me', undefined, { cookie })
  expect(me.body).toMatchObject({ email: 'grace@example.com' })
  expect(new Set(proxy.asked)).toEqual(new Set([`${HOST}:443`]))
})

test('a receiver that may not be reached is refused before the proxy learns of it', async () => {
  const stage = openStage()
  const proxy = await startProxy(() => 1)
  const server = await startServer(stage, {
    databaseUrl: await cloneDatabase(),
    env: { HTTPS_PROXY: proxy.url, BLOCK_PRIVATE_TARGETS: 'true' },
  })
  const environment_id = await environmentOf(server.url)
  const admin = await signIn(server.url)
  const path = `/api/environments/${environment_id}/webhooks`
  const refused = await callApi(
    server.url,
    'POST',
    path,
    { name: 'x', url: 'https://169.254.169.254/' },
    admin,
  )
  expect(refused.status).toBe(422)
  // A name that nothing here resolves cannot be checked.
  const { body } = await callApi(server.url, 'POST', path, { name: 'x', url: `https://${HOST}/` }, admin)
  await putFlag(server.url, environment_id, { key: 'noticed' })
  await eventually(async () => {
    const deliveries = await callApi(server.url, 'GET', `${path}/${body.id}/deliveries`, undefined, admin)
    return deliveries.body[0]?.error?.includes('OUTBOUND_ALLOW')
  })
  expect(proxy.asked).toEqual([])
})
