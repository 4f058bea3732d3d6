/**
 * A section of a bench is a part of a table whose rows can be measured again and again, so that two builds
 * can take turns: `{ columns, compared, open, rounds, quickRounds, isLeast }`. `open` starts what the rows
 * need and returns `{ rows, close }`; `measure(ms)` of a row returns the cells after its `name`. `compared`
 * are the columns of a comparison. A row is measured `rounds` times, and with `isLeast` the least counts.
 */

const MS = 10_000
const QUICK_MS = 2_000

/** Measures the sections of a bench; sections with the same columns are one table. */
export async function runSections(sections, context) {
  const tables = []
  for (const section of sections) {
    const rounds = (context.quick ? section.quickRounds : section.rounds) ?? 1
    const { close, rows } = await section.open(context)
    const measured = []
    try {
      for (const { measure, name } of rows) {
        context.progress(name)
        const samples = []
        for (let round = 0; round < rounds; round++)
          samples.push(await measure(context.quick ? QUICK_MS : MS))
        measured.push([name, ...summarize(samples, section)])
      }
    } finally {
      await close()
    }
    if (tables.at(-1)?.columns === section.columns) tables.at(-1).rows.push(...measured)
    else tables.push({ columns: section.columns, rows: measured })
  }
  return tables
}

/** Returns the last measured cells, or the cells with the least first figure. */
function summarize(samples, { isLeast = false }) {
  if (!isLeast) return samples.at(-1)
  return samples.reduce((least, cells) => (cells[0].value < least[0].value ? cells : least))
}
