import { describeImportRequests, type ImportSystem } from '@burgee/contract'
import { isObject, type JsonObject, listOf, numberOf, objectOf, objectsOf, textOf } from '../reading.ts'
import type { Note } from '../report.ts'
import { type SourceFile, UnreadableFile } from '../system.ts'

/** A part of a list of a service, which its API gives in pages. */
interface Page {
  /** The list: `flags of production`. */
  readonly list: string
  readonly keys: readonly string[]
  /** The length of the whole list, where the response states it. */
  readonly total: number | null
  readonly hasNext: boolean
}

/** A list of which pages are missing. */
interface Gap {
  readonly list: string
  readonly found: number
  /** Null where the responses do not state it. */
  readonly total: number | null
}

/**
 * Returns a note for each list of which pages are missing. Throws `UnreadableFile` instead, unless a part was
 * requested: what is missing would be archived by a later `prune`.
 */
export function noteMissing(
  system: ImportSystem,
  files: readonly SourceFile[],
  isPartial: boolean,
): readonly Note[] {
  const gaps = findGaps(files.flatMap(pagesOf))
  if (gaps.length === 0) return []
  const sentences = gaps.map(describeGap)
  if (!isPartial)
    throw new UnreadableFile(
      `These files are a part: ${sentences.join(' ')} Give all pages together, or import a part: the option --partial of the command, the field "partial" of the API. ${describeImportRequests(system)}`,
    )
  return sentences.map((sentence) => ({
    ...{ code: 'partial', path: '' },
    message: `${sentence} Do not apply these files with prune: what is missing would be archived.`,
  }))
}

const describeGap = ({ found, list, total }: Gap): string =>
  total === null
    ? `There are more ${list} than these ${found}: the next page is missing.`
    : `They have ${found} of ${total} ${list}: ${total - found} are missing.`

function findGaps(pages: readonly Page[]): readonly Gap[] {
  const lists = new Map<string, Page[]>()
  for (const page of pages) {
    const others = lists.get(page.list)
    if (others) others.push(page)
    else lists.set(page.list, [page])
  }
  return [...lists].flatMap(([list, parts]): readonly Gap[] => {
    const found = new Set(parts.flatMap(({ keys }) => keys)).size
    const totals = parts.flatMap(({ total }) => (total === null ? [] : [total]))
    if (totals.length > 0) {
      const total = Math.max(...totals)
      return total > found ? [{ list, found, total }] : []
    }
    return parts.every(({ hasNext }) => hasNext) ? [{ list, found, total: null }] : []
  })
}

/** Returns the lists of which a file may be one page. */
function pagesOf({ data }: SourceFile): readonly Page[] {
  if (Array.isArray(data)) return ofLaunchDarkly(data, {})
  if (!isObject(data)) return []
  if (Array.isArray(data.items)) return ofLaunchDarkly(data.items, data)
  return ['features', 'savedGroups', 'segments'].flatMap((list) =>
    Array.isArray(data[list]) && ('hasMore' in data || 'total' in data) ? [ofOffset(list, data)] : [],
  )
}

/** Flags are counted in each environment: a response has those of at most three. */
function ofLaunchDarkly(items: readonly unknown[], envelope: JsonObject): readonly Page[] {
  const page = { total: numberOf(envelope.totalCount), hasNext: isObject(objectOf(envelope._links).next) }
  const keys = new Map<string, string[]>()
  for (const item of objectsOf(items)) {
    const key = textOf(item.key)
    if (key === null) continue
    const isFlag = Array.isArray(item.variations)
    const names = isFlag ? Object.keys(objectOf(item.environments)) : [environmentOfLink(item) ?? '']
    for (const name of names) {
      const list = `${isFlag ? 'flags' : 'segments'}${name === '' ? '' : ` of ${name}`}`
      const own = keys.get(list)
      if (own) own.push(key)
      else keys.set(list, [key])
    }
  }
  return [...keys].map(([list, own]) => ({ ...page, list, keys: own }))
}

/** Returns the environment that the link of a segment names: `/api/v2/segments/<project>/<environment>`. */
export function environmentOfLink({ _links }: JsonObject): string | null {
  const href = textOf(objectOf(objectOf(_links).parent).href)
  return textOf(href?.split('?')[0]?.split('/').at(-1))
}

/** A list with `limit`, `offset`, `total` and `hasMore`. */
const ofOffset = (list: string, content: JsonObject): Page => ({
  list,
  keys: listOf(content[list]).map((item, index) => {
    const { id, name } = objectOf(item)
    return textOf(id) ?? textOf(name) ?? `${numberOf(content.offset) ?? 0}/${index}`
  }),
  total: numberOf(content.total),
  hasNext: content.hasMore === true,
})
