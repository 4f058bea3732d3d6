const HOST_LENGTH = 'host'.length
/**
 * The syntax of a host (RFC 9112, section 3.2, and RFC 3986, section 3.2.2): a name, an IPv4 address or an
 * IPv6 address in brackets, and a port.
 */
const HOST_VALUE = /^(?:\[[\w.:%~-]*\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/

/**
 * Returns the problem with the Host header of a request; null when there is none. HTTP/1.0 has no Host
 * header.
 */
export function findHostProblem(rawHeaders: readonly string[], httpVersion: string): string | null {
  let value: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length !== HOST_LENGTH || name.toLowerCase() !== 'host') continue
    if (value !== undefined) return 'The request has more than one Host header. Send one.'
    value = rawHeaders[at + 1] ?? ''
  }
  if (value === undefined)
    return httpVersion === '1.0' ? null : 'The request has no Host header. HTTP/1.1 needs one.'
  return HOST_VALUE.test(value)
    ? null
    : 'The Host header is not a host name or address with an optional port.'
}
