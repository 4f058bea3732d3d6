import type { SdkKey } from '@burgee/contract'
import { countOf } from '../output/count-of.ts'
import { fetchText, reasonOf } from './fetch-text.ts'
import { type Finding, findingsOf } from './finding.ts'

const PAGE_MAX_BYTES = 4 * 1024 * 1024
const SCRIPTS_MAX = 20
const KEYS_MAX = 20
const KEY = /\bsk_live_[\w-]{16,200}/g
const SCRIPT = /<script[^>]{0,500}\ssrc\s*=\s*["']?([^"'\s>]{1,2000})/gi

/** Checks the kinds of the keys in use: a program that only reads flags needs no server key. */
export function checkKeyKinds(keys: readonly SdkKey[]): Finding {
  const { ok, warning } = findingsOf('keys')
  const connected = keys.filter(({ kind, streams }) => kind === 'server' && streams > 0)
  if (connected.length === 0) return ok('no server key has an open stream')
  const names = connected
    .map(({ name, prefix, streams }) => `${name} (${prefix}, ${countOf(streams, 'stream')})`)
    .join(', ')
  return warning(
    `programs are connected with server keys, which may change flags: ${names}`,
    'Give back ends keys of kind reader, and browsers keys of kind client. Then revoke these.',
  )
}

/** Searches a page and its scripts for keys that the server accepts as server keys. */
export async function checkPage(url: string, page: string): Promise<Finding> {
  const { ok, problem, skipped } = findingsOf('keys in browsers')
  const first = await fetchText(page, {}, PAGE_MAX_BYTES).catch(reasonOf)
  if (typeof first === 'string') return skipped(`${page} cannot be read: ${first}`)
  const sources = [...first.text.matchAll(SCRIPT)].slice(0, SCRIPTS_MAX).map(([, source = '']) => source)
  const found = new Set(first.text.match(KEY))
  for (const source of sources) {
    const address = URL.canParse(source, page) ? new URL(source, page) : null
    if (address === null || !/^https?:$/.test(address.protocol)) continue
    const script = await fetchText(address.href, {}, PAGE_MAX_BYTES).catch(() => null)
    for (const key of script?.text.match(KEY) ?? []) found.add(key)
  }
  for (const key of [...found].slice(0, KEYS_MAX)) {
    // The description of the API is for every credential except keys of kind reader and client.
    const reply = await fetchText(`${url}/api/openapi.json`, { authorization: `Bearer ${key}` }).catch(
      () => null,
    )
    if (reply?.status === 200)
      return problem(
        `${page} contains the server key ${key.slice(0, 12)}…, with which every visitor can change flags`,
        'Revoke the key now, and give the page a key of kind client.',
      )
  }
  return ok(`${page} contains no server key of this server (${countOf(sources.length, 'script')} read)`)
}
