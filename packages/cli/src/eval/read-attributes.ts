import { isObject } from '@burgee/contract'
import { usageError } from '../command-error.ts'

/**
 * Reads attributes: `plan=pro` is a text, a name that occurs twice is a list, and `age:=42` has any JSON.
 * `json` is an object of attributes, which the single ones replace.
 */
export function readAttributes(given: readonly string[], json?: string): Record<string, unknown> {
  const attributes = new Map<string, unknown>(Object.entries(readObject(json)))
  const texts = new Map<string, string[]>()
  for (const text of given) {
    const at = text.indexOf('=')
    if (at < 1) throw usageError(`--attr ${text} has no value. Write a name and a value, such as plan=pro.`)
    const value = text.slice(at + 1)
    if (text[at - 1] === ':') attributes.set(text.slice(0, at - 1), readJson(value, `--attr ${text}`))
    else texts.set(text.slice(0, at), [...(texts.get(text.slice(0, at)) ?? []), value])
  }
  for (const [name, values] of texts) attributes.set(name, values.length === 1 ? values[0] : values)
  return Object.fromEntries(attributes)
}

function readObject(json: string | undefined): Record<string, unknown> {
  if (json === undefined) return {}
  const value = readJson(json, '--attributes')
  if (!isObject(value)) throw usageError('--attributes is a JSON object, such as {"plan": "pro"}.')
  return { ...value }
}

function readJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`${option} is not JSON. Texts are quoted, such as "pro".`)
  }
}
