import { IMPORT_ATTRIBUTES_MAX } from '@burgee/contract'

interface AttributeNames {
  /** From old to new. */
  readonly attributes: Readonly<Record<string, string>>
  /** The first line that cannot be read, in words; null without one. */
  readonly problem: string | null
}

/** Reads names of attributes from a text with one `old=new` a line. */
export function readAttributeNames(text: string): AttributeNames {
  const names = new Map<string, string>()
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const [from = '', to = '', ...rest] = line.split('=').map((part) => part.trim())
    if (from === '' || to === '' || rest.length > 0)
      return { attributes: {}, problem: `“${line}” is not of the form old=new, such as email=user_email.` }
    names.set(from, to)
  }
  if (names.size > IMPORT_ATTRIBUTES_MAX)
    return { attributes: {}, problem: `At most ${IMPORT_ATTRIBUTES_MAX} attributes can have another name.` }
  return { attributes: Object.fromEntries(names), problem: null }
}
