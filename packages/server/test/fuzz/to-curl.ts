import type { WireRequest } from './draft.ts'

const BODY_SHOWN_MAX = 1_500
const VALUE_SHOWN_MAX = 300

/** Formats the request as a command line; long parts are cut, and can be created again by seed and number. */
export function toCurl(url: string, { body, headers, method, path }: WireRequest): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((text) => `-H ${quote(`${name}: ${cut(text, VALUE_SHOWN_MAX)}`)}`),
  )
  const target = path.startsWith('/') ? url + path : `${url} --request-target ${quote(path)}`
  return [
    `curl -i --path-as-is -X ${method}`,
    quote(cut(target, VALUE_SHOWN_MAX * 2)),
    ...lines,
    ...(body ? [`--data-binary ${quote(cut(body.toString('latin1'), BODY_SHOWN_MAX))}`] : []),
  ].join(' ')
}

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}...(${text.length})` : text

/** Quotes in ANSI-C style: bytes beyond ASCII and control characters become escapes. */
function quote(text: string): string {
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is escaped
    .replace(/[\u0000-\u001f\u007f-\u00ff]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return escaped === text ? `'${text}'` : `$'${escaped}'`
}
