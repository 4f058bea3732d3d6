import type { Attributes } from '@burgee/evaluation'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import {
  type AttributeRow,
  formatAttributes,
  parseAttributes,
  readRows,
  type Subject,
  toRows,
} from './subject.ts'

const TYPING_PAUSE_MS = 250
const EMPTY_KEY = 'yes'

export interface EditedSubject {
  readonly subject: Subject
  readonly userText: string
  /** True if an empty text is a user key rather than no user. */
  readonly hasEmptyKey: boolean
  /** Null while the attributes are written as JSON. */
  readonly rows: readonly AttributeRow[] | null
  readonly json: string
  /** The problem of the JSON text. */
  readonly jsonProblem: string | undefined
  /** The problems of rows, by id. */
  readonly rowProblems: Readonly<Record<number, string>>
  readonly setUser: (text: string) => void
  readonly setEmptyKey: (hasEmptyKey: boolean) => void
  readonly setRows: (rows: readonly AttributeRow[]) => void
  readonly setJson: (text: string) => void
  readonly showAs: (form: 'rows' | 'json') => void
  readonly load: (subject: Subject) => void
}

interface Typed {
  readonly userText: string
  readonly hasEmptyKey: boolean
  readonly rows: readonly AttributeRow[] | null
  readonly json: string
  /** As they were last complete: unfinished JSON changes no result. */
  readonly attributes: Attributes
}

/**
 * The user to evaluate for. It is kept in the address, so that an evaluation can be shared and survives a
 * reload.
 */
export function useSubject(): EditedSubject {
  const [address, setAddress] = useUrlState({ user: '', empty_key: '', attributes: '' })
  const { environment_id } = useScope()
  const [typed, setTyped] = useState(() => readAddress(address))
  const { attributes, hasEmptyKey, json, rows, userText } = typed
  const [settled] = useDebouncedValue(typed, TYPING_PAUSE_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new environment drops the query: written again
  useEffect(() => {
    const shown = writeAddress(settled)
    const isShown = [
      shown.user === address.user,
      shown.empty_key === address.empty_key,
      shown.attributes === address.attributes,
    ].every(Boolean)
    if (!isShown) setAddress(shown)
  }, [settled, environment_id])
  // The same one until it changes: results are worked out for each.
  const subject = useMemo(
    () => ({ user_key: userText === '' && !hasEmptyKey ? null : userText, attributes }),
    [userText, hasEmptyKey, attributes],
  )
  const parsed = rows === null ? parseAttributes(json) : null
  return {
    subject,
    userText,
    hasEmptyKey,
    rows,
    json,
    jsonProblem: parsed && 'problem' in parsed ? parsed.problem : undefined,
    rowProblems: rows ? readRows(rows).problems : {},
    setUser: (text) => setTyped({ ...typed, userText: text }),
    setEmptyKey: (next) => setTyped({ ...typed, hasEmptyKey: next }),
    setRows: (next) => setTyped({ ...typed, rows: next, attributes: readRows(next).attributes }),
    setJson: (text) => {
      const read = parseAttributes(text)
      setTyped({ ...typed, json: text, ...('attributes' in read && { attributes: read.attributes }) })
    },
    showAs: (form) => setTyped({ ...typed, ...writeAttributes(attributes, form) }),
    load: (subject) => setTyped(writeSubject(subject)),
  }
}

/** The fields of the address. `empty_key` counts where `user` is empty. */
interface Address {
  readonly user: string
  readonly empty_key: string
  readonly attributes: string
}

const writeAddress = ({ attributes, hasEmptyKey, userText }: Typed): Address => ({
  user: userText,
  empty_key: hasEmptyKey && userText === '' ? EMPTY_KEY : '',
  attributes: formatAttributes(attributes),
})

function readAddress({ user, empty_key, attributes }: Address): Typed {
  const read = parseAttributes(attributes)
  return writeSubject({
    user_key: user === '' && empty_key !== EMPTY_KEY ? null : user,
    attributes: 'attributes' in read ? read.attributes : {},
  })
}

const writeSubject = ({ attributes, user_key }: Subject): Typed => ({
  userText: user_key ?? '',
  hasEmptyKey: user_key === '',
  attributes,
  ...writeAttributes(attributes, 'rows'),
})

/** The attributes as rows if they fit into rows, else as JSON. */
function writeAttributes(attributes: Attributes, form: 'rows' | 'json'): Pick<Typed, 'rows' | 'json'> {
  const isEmpty = Object.keys(attributes).length === 0
  return {
    rows: form === 'rows' ? toRows(attributes) : null,
    json: isEmpty ? '' : JSON.stringify(attributes, null, 2),
  }
}
