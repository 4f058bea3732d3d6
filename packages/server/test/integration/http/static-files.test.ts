import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_ROOTS } from '../../../src/kernel/api-roots.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const SECRET = 'not for the public'
const PLACEHOLDER = '__CSP_NONCE__'
const INDEX = `<!doctype html><title>The dashboard</title><script nonce="${PLACEHOLDER}"></script>`
const FILES = {
  'index.html': INDEX,
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'a file.txt': 'spaced',
  '100%.txt': 'percent',
  'assets/index-B4xk_9qZ.js': 'export {}',
  'assets/main-0a1b2c3d.css': 'p{}',
  'assets/main-0a1b2c3d.css.gz': 'what the build has compressed',
  'assets/site-component.js': 'export {}',
  '.env': SECRET,
  '.git/config': SECRET,
  'assets/.htpasswd': SECRET,
  'api/hidden.html': SECRET,
  'metrics/index.html': SECRET,
}

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burgee-public-'))
  for (const [name, content] of Object.entries({ ...files('public'), 'outside.txt': SECRET })) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  server = await startTestServer({ env: { PUBLIC_DIR: join(folder, 'public') } })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const files = (under: string) =>
  Object.fromEntries(Object.entries(FILES).map(([name, content]) => [`${under}/${name}`, content]))

/** Sends a request without a credential; the path is sent as it is written. */
async function get(path: string, { accept = '*/*', headers = {}, method = 'GET', to = server } = {}) {
  const { port } = new URL(to.url)
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const sent = request({ port, path, method, headers: { accept, ...headers } }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      })
      sent.on('error', reject).end()
    },
  )
}

/** Returns the page with the nonce of its response's policy, which it must have. */
function pageOf({ headers }: Awaited<ReturnType<typeof get>>): string {
  const policy = String(headers['content-security-policy'])
  const [, nonce] = /script-src 'self' 'nonce-([^']+)'/.exec(policy) ?? []
  if (!nonce) throw new Error(`no nonce in ${policy}`)
  return INDEX.replaceAll(PLACEHOLDER, nonce)
}

const NO_SUCH_ROUTE = { error: 'No such route.' }

async function expectNoRoute(answer: ReturnType<typeof get>): Promise<void> {
  const { headers, status, text } = await answer
  expect([status, JSON.parse(text)]).toEqual([404, NO_SUCH_ROUTE])
  expect(headers['content-type']).toMatch(/^application\/json/)
}

describe('files of PUBLIC_DIR', () => {
  test.each([
    ['gzip, br', 'gzip', 'what the build has compressed'],
    ['br;q=1, gzip;q=0', undefined, 'p{}'],
    ['identity', undefined, 'p{}'],
  ])('a file is sent compressed for Accept-Encoding %s: %s', async (accepted, encoding, text) => {
    const answer = await get('/assets/main-0a1b2c3d.css', { headers: { 'accept-encoding': accepted } })

    expect(answer.text).toBe(text)
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers['content-type']).toBe('text/css; charset=utf-8')
    expect(answer.headers.vary).toContain('accept-encoding')
  })

  test.each([
    ['/logo.svg', FILES['logo.svg'], 'image/svg+xml'],
    ['/logo.svg?v=2', FILES['logo.svg'], 'image/svg+xml'],
    ['/a%20file.txt', 'spaced', 'text/plain'],
    ['/100%25.txt', 'percent', 'text/plain'],
    ['/assets/index-B4xk_9qZ.js', 'export {}', 'javascript'],
  ])('%s is served to every caller', async (path, text, type) => {
    const answer = await get(path)

    expect([answer.status, answer.text]).toEqual([200, text])
    expect(answer.headers['content-type']).toContain(type)
  })

  test('HEAD of a file responds without the body', async () => {
    const head = await get('/logo.svg', { method: 'HEAD' })

    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(String(FILES['logo.svg'].length))
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s does not serve the file', async (method) => {
    await expectNoRoute(get('/index.html', { method, accept: BROWSER }))
  })

  test.each([
    ['/assets/index-B4xk_9qZ.js', 'public, max-age=31536000, immutable'],
    ['/assets/main-0a1b2c3d.css', 'public, max-age=31536000, immutable'],
    ['/assets/site-component.js', 'no-cache'],
    ['/logo.svg', 'no-cache'],
    ['/index.html', 'no-cache'],
    ['/', 'no-cache'],
    ['/flag-list', 'no-cache'],
  ])('the file %s is cached: %s', async (path, cacheControl) => {
    expect((await get(path, { accept: BROWSER })).headers['cache-control']).toBe(cacheControl)
  })

  test('a cached file is 304', async () => {
    const { headers } = await get('/logo.svg')

    const again = await get('/logo.svg', { headers: { 'if-none-match': String(headers.etag) } })

    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('a file with If-Match of another version is 412, without a log line for the operator', async () => {
    const answer = await get('/logo.svg', { headers: { 'if-match': '"another"' } })

    expect([answer.status, JSON.parse(answer.text)]).toEqual([412, { error: expect.any(String) }])
    expect(server.logged()).not.toContain('a request failed')
  })

  test.each(['/', '/logo.svg', '/flag-list'])('the file %s has a strict policy', async (path) => {
    const { headers } = await get(path, { accept: BROWSER })

    const policy = String(headers['content-security-policy']).split('; ')
    for (const rule of [
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy).toContain(rule)
    }
    expect(policy.join()).not.toContain('unsafe')
    expect(headers['x-content-type-options']).toBe('nosniff')
    // Sibling hosts may not support HTTPS.
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe("the dashboard's page", () => {
  test.each(['/', '/?from=mail', '/index.html'])('the page %s is served to every caller', async (path) => {
    const answer = await get(path)

    expect([answer.status, answer.text]).toEqual([200, pageOf(answer)])
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  })

  test('the page has a new nonce in each response, which is that of its policy', async () => {
    const pages = await Promise.all(Array.from({ length: 20 }, () => get('/')))

    for (const page of pages) {
      expect(page.text).toBe(pageOf(page))
      expect(page.text).not.toContain(PLACEHOLDER)
    }
    expect(new Set(pages.map(({ text }) => text)).size).toBe(pages.length)
  })

  test('the policy of the page allows its own styles and scripts or those with the nonce, and no others', async () => {
    const page = await get('/')

    const policy = String(page.headers['content-security-policy'])
    const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? []
    expect(Buffer.from(nonce ?? '', 'base64').length).toBeGreaterThanOrEqual(16)
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([`script-src 'self' 'nonce-${nonce}'`, `style-src 'self' 'nonce-${nonce}'`]),
    )
    expect(policy).not.toContain('unsafe-inline')
  })

  test('the page is never cached: another nonce is another page', async () => {
    const { headers } = await get('/')

    expect([headers['cache-control'], headers.etag, headers['last-modified']]).toEqual([
      'no-cache',
      undefined,
      undefined,
    ])
    const again = await get('/', {
      headers: { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() },
    })
    expect(again.status).toBe(200)
  })

  test.each(['/', '/projects/x/environments/y/flags/z'])(
    'HEAD %s of the page responds without the body',
    async (path) => {
      const head = await get(path, { method: 'HEAD', accept: BROWSER })

      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers['content-length']).toBe(String(pageOf(head).length))
      expect(head.headers['cache-control']).toBe('no-cache')
    },
  )
})

describe('addresses without a file', () => {
  test.each([
    '/setup',
    '/setup?token=abc',
    '/setup/',
    '/projects/x/environments/y/flags/z',
    '/flag-list',
    '/apis',
    '/assets',
  ])('%s is the dashboard for a browser and 404 for a program', async (path) => {
    const page = await get(path, { accept: BROWSER })

    expect([page.status, page.text, page.headers.vary]).toEqual([200, pageOf(page), 'accept'])
    expect((await get(path, { accept: BROWSER, method: 'HEAD' })).status).toBe(200)
    for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*']) {
      await expectNoRoute(get(path, { accept }))
    }
  })

  test.each(['/missing.js', '/assets/missing-B4xk_9qZ.js', '/old/page.html', '/x.y/'])(
    '%s has an extension: 404 for a browser too',
    async (path) => {
      await expectNoRoute(get(path, { accept: BROWSER }))
    },
  )

  test('the token of the set-up page is not logged', async () => {
    await get('/setup?token=a-token-to-keep', { accept: BROWSER })

    expect(server.logged()).toContain('/setup')
    expect(server.logged()).not.toContain('a-token-to-keep')
  })
})

describe('reserved paths of the API', () => {
  test.each(API_ROOTS.flatMap((root) => [`/${root}/nothing-here`, `/${root}/`]))(
    '%s is a JSON 404 for a browser',
    async (path) => {
      await expectNoRoute(get(path, { accept: BROWSER }))
    },
  )

  test.each(['/api/hidden.html', '/%61pi/hidden.html', '/metrics/index.html', '/metrics', '/ofrep', '/api'])(
    '%s is not served as a file',
    async (path) => {
      await expectNoRoute(get(path, { accept: BROWSER }))
    },
  )

  test('the reserved paths are the roots of every endpoint', () => {
    const roots = new Set(Object.values(endpoints).map(({ path }) => path.split('/')[1]))

    for (const root of roots) expect(API_ROOTS).toContain(root)
  })

  test.each([
    ['GET', '/api/projects', 401],
    ['GET', '/flags/snapshot', 401],
    ['GET', '/stream', 401],
    ['GET', '/api/auth/login', 405],
    ['DELETE', '/health', 405],
    ['HEAD', '/stream', 405],
    ['GET', '/health', 200],
    ['GET', '/ready', 200],
    ['GET', '/api/auth/workspace', 200],
    ['GET', '/api/setup', 200],
    ['GET', '/api/docs', 401],
  ])('%s %s responds with %i to a browser as to a program', async (method, path, status) => {
    const [browser, program] = await Promise.all([
      get(path, { method, accept: BROWSER }),
      get(path, { method }),
    ])

    expect([browser.status, program.status]).toEqual([status, status])
    expect(browser.text).toBe(program.text)
  })
})

describe('paths outside PUBLIC_DIR', () => {
  test.each([
    '/../outside.txt',
    '/assets/../../outside.txt',
    '/%2e%2e/outside.txt',
    '/%2e%2e%2foutside.txt',
    '/..%2foutside.txt',
    '/.%2e/outside.txt',
    '/%252e%252e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/..%5coutside.txt',
    '/..\\outside.txt',
    '/%2f%2fetc/passwd',
    '//etc/passwd',
    '/./logo.svg',
    '//logo.svg',
    '/assets//main-0a1b2c3d.css',
    '/logo.svg/',
    '/logo.svg%00',
    '/logo.svg%00.html',
    '/%00',
    '/%0a',
    '/%c0%ae%c0%ae/outside.txt',
    '/%ff',
    '/%',
    '/.env',
    '/%2eenv',
    '/.git/config',
    '/.git',
    '/assets/.htpasswd',
    '/assets/%2ehtpasswd',
    '/./setup',
    '//setup',
    '//api/projects',
  ])('%s is 404', async (path) => {
    for (const accept of ['*/*', BROWSER]) {
      const answer = await get(path, { accept })
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.text)).toEqual({ error: expect.any(String) })
    }
  })

  test('a name longer than that of any file is 404', async () => {
    await expectNoRoute(get(`/${'n'.repeat(5_000)}`))
    await expectNoRoute(get(`/${'n'.repeat(5_000)}.js`, { accept: BROWSER }))
  })
})

describe('missing PUBLIC_DIR', () => {
  test.each([
    ['a folder that is missing', 'missing'],
    ['a folder without index.html', 'public/assets'],
    ['a file', 'outside.txt'],
  ])('%s as PUBLIC_DIR leaves the API', async (_what, publicDir) => {
    const other = await startTestServer({ env: { PUBLIC_DIR: join(folder, publicDir) } })
    try {
      for (const path of ['/', '/setup', '/index.html', '/outside.txt']) {
        await expectNoRoute(get(path, { accept: BROWSER, to: other }))
      }
      expect((await get('/health', { to: other })).text).toBe('OK')
    } finally {
      await other.close()
    }
  })
})

describe('the shipped dashboard', () => {
  const shipped = fileURLToPath(new URL('../../../public', import.meta.url))
  // The dashboard's build writes it; the API's tests run without.
  const isBuilt = existsSync(join(shipped, 'index.html'))

  test.skipIf(!isBuilt)(
    'the shipped page is served without a setting, with all its files, and requests nothing that its policy forbids (needs a build)',
    async () => {
      const other = await startTestServer()
      try {
        const page = await get('/setup?token=abc', { accept: BROWSER, to: other })
        expect(page.status).toBe(200)
        const named = [...page.text.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/[^"]+)"/g)].map(
          ([, path = '']) => path,
        )
        expect(named).toContainEqual(expect.stringMatching(/^\/assets\/.+\.js$/))
        for (const path of named) expect((await get(path, { to: other })).status).toBe(200)
        expect(page.text).not.toContain(PLACEHOLDER)
        expect(page.text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
      } finally {
        await other.close()
      }
    },
  )
})
