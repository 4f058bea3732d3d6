/** The most redirects of one request, as in the Fetch Standard. */
const REDIRECTS_MAX = 20
const REDIRECTING: readonly number[] = [301, 302, 303, 307, 308]

/** Headers that name or prove the sender: another origin does not get them. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'] as const
const OF_BODY = ['content-encoding', 'content-language', 'content-length', 'content-type'] as const

/** Sends one request, and returns its response, which may be a redirect. */
export type SendOnce = (url: URL, init: RequestInit) => Promise<Response>

/** Sends a request, and treats redirects as `redirect` states (Fetch Standard, "HTTP-redirect fetch"). */
export async function followRedirects(sendOnce: SendOnce, url: URL, init: RequestInit): Promise<Response> {
  let place = url
  let request = init
  for (let followed = 0; ; followed += 1) {
    const response = await sendOnce(place, request)
    const location = response.headers.get('location')
    if (!REDIRECTING.includes(response.status) || location === null || init.redirect === 'manual')
      return response
    await response.body?.cancel()
    if (init.redirect === 'error') throw failed('unexpected redirect')
    if (followed === REDIRECTS_MAX) throw failed('redirect count exceeded')
    const next = URL.canParse(location, place.href) ? new URL(location, place) : null
    if (next?.protocol !== 'https:' && next?.protocol !== 'http:') throw failed('invalid redirect')
    request = redirected(request, { status: response.status, isElsewhere: next.origin !== place.origin })
    place = next
  }
}

/** The errors of the `fetch` of Node have their reason as the cause. */
const failed = (reason: string) => new TypeError('fetch failed', { cause: new Error(reason) })

interface Hop {
  readonly status: number
  readonly isElsewhere: boolean
}

function redirected(init: RequestInit, { isElsewhere, status }: Hop): RequestInit {
  const method = (init.method ?? 'GET').toUpperCase()
  const becomesGet =
    status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST'
  const headers = new Headers(init.headers)
  if (isElsewhere) for (const name of CREDENTIALS) headers.delete(name)
  if (!becomesGet) return { ...init, headers }
  for (const name of OF_BODY) headers.delete(name)
  const { body: _, ...others } = init
  return { ...others, method: 'GET', headers }
}
