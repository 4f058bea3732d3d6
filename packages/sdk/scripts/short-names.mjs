/**
 * Names of properties that only the parts of a bundle read. The minified bundles have short names
 * in their place: no minifier can know that no program and no server reads them. `check-size.mjs` compares
 * them with the types of the package and with the objects of the engine.
 */
export const INTERNAL_NAMES = `
  bits boundsOf bounds choices clock constantResult correct countUnknown current distance drain effects emit
  evaluatePrerequisite failed failures filling forgetReports high isBoolean isOn isOverridden isReported
  kept keptCount keyOf known leave low maxFailures merged moves moving negates nowMs onChange onLeave
  onReady onSnapshot onStale onUpdate override peek position readyAtMs received record request retryAfter
  rolloutSalt serverClock setTimer states tail takeChanged total upsert variantSalt waitMs waits
`
  .trim()
  .split(/\s+/)

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$'
const SHORT = new Map(
  INTERNAL_NAMES.map((name, at) => [
    name,
    LETTERS[at % LETTERS.length] + (at < LETTERS.length ? '' : at.toString(36)),
  ]),
)

/** Returns the plugin of the build that shortens them. */
export const shortNames = () => ({
  name: 'short-names',
  renderChunk(code) {
    const parts = []
    let end = 0
    for (const { at, name, prefix } of findNames(this.parse(code)).sort((one, other) => one.at - other.at)) {
      parts.push(code.slice(end, at), SHORT.get(name), prefix)
      end = prefix ? at : at + name.length
    }
    return { code: parts.join('') + code.slice(end) }
  },
})

/** Finds the listed names of members, of object literals and of patterns. */
function findNames(node) {
  if (Array.isArray(node)) return node.flatMap((each) => findNames(each))
  if (typeof node !== 'object' || node === null) return []
  const { computed, key, property, shorthand, type } = node
  const named = !computed && (type === 'MemberExpression' ? property : type === 'Property' ? key : null)
  const found =
    named && SHORT.has(named.name)
      ? [{ at: named.start, name: named.name, prefix: shorthand ? ':' : '' }]
      : []
  const inner = Object.entries(node).filter(([field]) => !(shorthand && field === 'key'))
  return [...found, ...inner.flatMap(([, each]) => findNames(each))]
}
