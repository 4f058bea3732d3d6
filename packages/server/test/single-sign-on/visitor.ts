/** A browser without scripts: it keeps cookies by origin, and follows redirects up to the callback. */
export interface Visitor {
  /** Requests an address; cookies are kept and sent, redirects are not followed. */
  visit(url: string, form?: Readonly<Record<string, string>>): Promise<Response>
  /** Returns the Cookie header for an address. */
  cookieFor(url: string): string
  /** Follows a login up to the callback, whose address is returned without visiting it. */
  logInAtProvider(start: string, as: string, decision?: 'allow' | 'refuse'): Promise<string>
}

const REDIRECTS_MAX = 20
const CALLBACK = '/api/auth/sso/callback'

/** Creates a browser, which may have one cookie for each address already, and a `fetch` of its own. */
export function createVisitor(
  cookies: Readonly<Record<string, string>> = {},
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Visitor {
  const jars = new Map(
    Object.entries(cookies).map(([url, cookie]) => [new URL(url).origin, new Map([split(cookie)])]),
  )
  const jarOf = (url: string) => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const cookieFor = (url: string) => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ')

  async function visit(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const response = await send(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: cookieFor(url) },
      redirect: 'manual',
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = split(cookie.split(';')[0] ?? '')
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) jarOf(url).delete(name)
      else jarOf(url).set(name, value)
    }
    return response
  }

  return {
    visit,
    cookieFor,
    async logInAtProvider(start, as, decision = 'allow') {
      let url = start
      for (let step = 0; step < REDIRECTS_MAX; step += 1) {
        const response = await visit(url)
        const location = response.headers.get('location')
        if (location !== null) {
          url = new URL(location, url).href
          if (url.includes(CALLBACK)) return url
          continue
        }
        const page = await response.text()
        if (!page.includes('<form')) throw new Error(`no form: ${response.status} ${url} ${page}`)
        url = await decide(page, url)
      }
      throw new Error('too many redirects')

      async function decide(page: string, at: string): Promise<string> {
        if (decision === 'refuse') return new URL(find(page, /href="([^"]*abort[^"]*)"/), at).href
        const action = new URL(find(page, /action="([^"]+)"/), at).href
        const prompt = find(page, /name="prompt" value="(\w+)"/)
        const answer = await visit(action, { prompt, login: as, password: 'any' })
        return new URL(answer.headers.get('location') ?? '', at).href
      }
    },
  }
}

function split(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function find(page: string, pattern: RegExp): string {
  const found = pattern.exec(page)?.[1]
  if (found === undefined) throw new Error(`nothing like ${pattern} in ${page}`)
  return found
}
