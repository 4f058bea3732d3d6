/** The load average above which no table is written. */
const MOST_LOAD = 1
const SHORT_COMMIT = 8

const END = '<!-- /table -->'

/** Returns the numbers of a bench's tables that the page has. */
const numbersOf = (page, name) =>
  [...page.matchAll(new RegExp(`<!-- table ${name} (\\d+) -->`, 'g'))].map(([, nth]) => Number(nth))

/** Returns why the tables of benches are not measured and written, or null. */
export function refuseWriting(page, names, load) {
  const missing = names.filter((name) => numbersOf(page, name).length === 0)
  if (missing.length > 0) return `docs/performance.md has no table of ${missing.join(', ')}.`
  if (load > MOST_LOAD)
    return `The load average is ${load.toFixed(1)}. Figures for the page need a machine without other load, at most ${MOST_LOAD}.`
  return null
}

/**
 * Returns the line under a table: the commit that was measured, which is the parent of the one that stores
 * the table, the day, and how fast the machine was.
 */
export function describeTables({ commit, day, hashNs, statements }) {
  const rate = Math.round(statements).toLocaleString('en-US')
  return `Commit \`${commit.slice(0, SHORT_COMMIT)}\`, ${day}: ${rate} bare transactions a second, ${hashNs.toFixed(1)} ns a hash loop.`
}

/**
 * Returns the page with other tables of a bench, each between the markers of its number, with its line. The
 * page need not have every table.
 */
export function replaceTables(page, { name, source, tables }) {
  const numbers = numbersOf(page, name)
  const missing = numbers.filter((nth) => tables[nth - 1] === undefined)
  if (numbers.length === 0 || missing.length > 0)
    throw new Error(
      `docs/performance.md has tables ${numbers.join(', ') || 'none'} of ${name}, the bench ${tables.length}.`,
    )
  return numbers.reduce(
    (text, nth) => replaceTable(text, `<!-- table ${name} ${nth} -->`, `${tables[nth - 1]}\n\n${source}`),
    page,
  )
}

function replaceTable(page, start, content) {
  const from = page.indexOf(start) + start.length
  const to = page.indexOf(END, from)
  if (to === -1 || page.slice(from, to).includes('<!-- table '))
    throw new Error(`docs/performance.md lacks ${END} after ${start}.`)
  return `${page.slice(0, from)}\n\n${content}\n\n${page.slice(to)}`
}
