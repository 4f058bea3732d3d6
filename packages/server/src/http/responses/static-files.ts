import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_ROOTS } from '../../kernel/api-roots.ts'
import type { Log } from '../../platform/log/log.ts'
import { prefersHtml } from './prefers-html.ts'

const INDEX = 'index.html'
const CACHE_FOR_GOOD = 'public, max-age=31536000, immutable'
const ASK_EACH_TIME = 'no-cache'

/**
 * The names of bundled files: `index-B4xk_9qZ.js`. Lower case alone is a word rather than a hash, and such a
 * file must not be cached for a year.
 */
const HASHED_ASSET = /^assets\/(?:.+\/)?[^/]*[-.](?=[\w-]*[A-Z0-9_])[\w-]{8,}\.\w+$/

/** The placeholder in the page where a script or a style needs the nonce; the dashboard's build writes it. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__'
const NONCE_BYTES = 18
/** The begin of the addresses of files in the page, which opens at addresses of any depth. */
const RELATIVE_ADDRESS = '="./'

const POLICY_OF_EVERYTHING = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/**
 * The policy of a page: styles and scripts are our files, or carry the nonce of this response (Content
 * Security Policy Level 3, 6.7.3).
 */
const policyOfPage = (nonce: string): string =>
  [
    ...POLICY_OF_EVERYTHING,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
  ].join('; ')

/**
 * Serves the dashboard's files to any caller, and its `index.html` at every address that a browser opens and
 * nothing else serves; the not-found handler does the rest. `publicDir` is absolute; without such a folder
 * nothing is mounted.
 */
export async function mountStaticFiles(
  app: FastifyInstance,
  { basePath, log, publicDir }: { readonly basePath: string; readonly log: Log; readonly publicDir: string },
): Promise<void> {
  if (!statSync(publicDir, { throwIfNoEntry: false })?.isDirectory()) {
    log.warn({ public_dir: publicDir }, 'there is no such folder: the server serves only its API')
    return
  }
  // Its own route is not used, because it handles hidden and unusual paths in its own way.
  await app.register(staticFiles, {
    root: publicDir,
    serve: false,
    index: false,
    cacheControl: false,
    acceptRanges: false,
    dotfiles: 'ignore',
    // The dashboard's build writes a .gz beside each file that benefits.
    preCompressed: true,
  })
  app.route({
    method: 'GET',
    url: '/*',
    errorHandler: replyPreconditionFailed,
    handler: async (request, reply) => {
      const wanted = decodedPath(request)
      if (!isPublic(wanted)) return reply.callNotFound()
      const file = wanted === '' ? INDEX : wanted
      if (file === INDEX && (await isFile(join(publicDir, INDEX))))
        return sendPage(reply, { basePath, publicDir })
      if (await isFile(join(publicDir, file))) return sendPublicFile(reply, file)
      if (!isPage(file) || !prefersHtml(request.headers.accept)) return reply.callNotFound()
      if (!(await isFile(join(publicDir, INDEX)))) return reply.callNotFound()
      return sendPage(reply.header('vary', 'accept'), { basePath, publicDir })
    },
  })
}

/** The router has decoded the path once, and refused invalid encodings. */
const decodedPath = (request: FastifyRequest): string => (request.params as { '*': string })['*']

/**
 * Returns whether a path may be served: without a way up, hidden files, alternative spellings, or paths of
 * the API.
 */
function isPublic(path: string): boolean {
  if (path === '') return true
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends a path for the operating system
  if (/[\\\u0000-\u001f]/.test(path)) return false
  const segments = path.split('/')
  // The address of a page may end with a slash.
  const names = segments.at(-1) === '' ? segments.slice(0, -1) : segments
  return names.every((name) => name !== '' && !name.startsWith('.')) && !API_ROOTS.includes(names[0] ?? '')
}

const isPage = (path: string): boolean => extname(path) === ''

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() ?? false
}

function sendPublicFile(reply: FastifyReply, file: string): FastifyReply {
  return reply
    .header('cache-control', HASHED_ASSET.test(file) ? CACHE_FOR_GOOD : ASK_EACH_TIME)
    .header('content-security-policy', POLICY_OF_EVERYTHING.join('; '))
    .sendFile(file)
}

/** Sends the page with a new nonce for each response, and the addresses of its files below the base path. */
async function sendPage(
  reply: FastifyReply,
  { basePath, publicDir }: { readonly basePath: string; readonly publicDir: string },
): Promise<FastifyReply> {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const page = await readFile(join(publicDir, INDEX), 'utf8')
  return reply
    .header('cache-control', ASK_EACH_TIME)
    .header('content-security-policy', policyOfPage(nonce))
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE_PLACEHOLDER, nonce).replaceAll(RELATIVE_ADDRESS, `="${basePath}/`))
}

/** Responds when If-Match or If-Unmodified-Since name another version of the file. */
function replyPreconditionFailed(
  error: { readonly statusCode?: number },
  _request: FastifyRequest,
  reply: FastifyReply,
) {
  if (error.statusCode !== 412) throw error
  return reply.code(412).send({ error: 'The file has changed since. Load it again.' })
}
