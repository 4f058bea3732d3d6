const GROUPS = 8

/** Returns the eight 16-bit groups of a valid IPv6 address without brackets and zone, in any notation. */
export function toGroups(address: string): number[] {
  const [head = '', tail] = hexOnly(address).split('::')
  const first = parseGroups(head)
  if (tail === undefined) return first
  const last = parseGroups(tail)
  return [...first, ...Array<number>(GROUPS - first.length - last.length).fill(0), ...last]
}

const parseGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

/** Converts `::ffff:127.0.0.1` to `::ffff:7f00:1`. */
const hexOnly = (address: string): string =>
  address.replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_, a: string, b: string, c: string, d: string) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )
