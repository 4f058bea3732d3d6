/**
 * JSON text that is the same for values that are deeply equal: the fields of objects are in the order of
 * their names, fields that are undefined are left out. Recursive: stored JSON nests 32 levels at most.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  // Written out: lists of parts between take twice as long.
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item)}`
    return `[${text}]`
  }
  for (const name of Object.keys(value).sort()) {
    const field: unknown = Reflect.get(value, name)
    if (field !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(field)}`
  }
  return `{${text}}`
}
