/**
 * Returns the texts of the values of a JSON object as they are written, by name. The line was parsed before,
 * so its syntax is right.
 */
export function splitObject(line: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let at = line.indexOf('{') + 1
  while (at < line.length) {
    const nameStart = line.indexOf('"', at)
    if (nameStart === -1) break
    const nameEnd = endOfString(line, nameStart)
    const start = line.indexOf(':', nameEnd) + 1
    const end = endOfValue(line, start)
    values.set(JSON.parse(line.slice(nameStart, nameEnd)), line.slice(start, end).trim())
    at = end + 1
  }
  return values
}

function endOfString(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === '"') return at + 1
  }
  return line.length
}

/** Returns where a value of the outer object ends: at the comma or bracket behind it. */
function endOfValue(line: string, start: number): number {
  let depth = 0
  for (let at = start; at < line.length; at += 1) {
    const sign = line[at]
    if (sign === '"') at = endOfString(line, at) - 1
    else if (sign === '{' || sign === '[') depth += 1
    else if ((sign === '}' || sign === ']') && depth > 0) depth -= 1
    else if (depth === 0 && (sign === ',' || sign === '}')) return at
  }
  return line.length
}
