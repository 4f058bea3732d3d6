const FORM = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** The milliseconds of a time, by the `Date` of the engine; NaN for what is no time. */
export function referenceTime(text: string): number {
  if (!FORM.test(text)) return jsonNumber(text)
  const isLeap = text.slice(17, 19) === '60'
  const seconds = isLeap ? '59' : text.slice(17, 19)
  const fraction = /\.(\d+)/.exec(text)?.[1]?.slice(0, 3).padEnd(3, '0') ?? '000'
  const offset = text.slice(text.search(/([Zz]|[+-]\d\d:\d\d)$/)).toUpperCase()
  const milliseconds = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 17)}${seconds}.${fraction}${offset}`)
  // The engine accepts the 31st of every month and the hour 24.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text.slice(0, 10)
  return isDay && text.slice(11, 13) !== '24' ? milliseconds + (isLeap ? 1000 : 0) : Number.NaN
}

function jsonNumber(text: string): number {
  try {
    const value: unknown = JSON.parse(text.trim())
    return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
  } catch {
    return Number.NaN
  }
}
