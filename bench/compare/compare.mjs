import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { compareSamples } from './ratios.mjs'

/** The end of a comparison: what has not begun by then is left out. */
const LONGEST_MS = 20 * 60_000

/**
 * Compares two builds by benches: returns rows of figures and ratios for `comparisonTable`, and the names of
 * what was left out. `older` and `newer` are contexts of benches.
 */
export async function compareBuilds({ benches, newer, older, rounds, windowMs }) {
  const results = []
  const leftOut = []
  const endsAt = monotonicMs() + LONGEST_MS
  const isOver = () => monotonicMs() > endsAt
  for (const [name, bench] of benches) {
    if (isOver()) leftOut.push(name)
    else if (bench.sections === undefined)
      results.push(...(await compareTables(name, bench, { older, newer, rounds, isOver })))
    else
      for (const section of bench.sections(newer)) {
        if (isOver()) leftOut.push(`${name}: ${section.columns[0]}`)
        else
          results.push(...(await compareSection(name, section, { older, newer, rounds, windowMs, isOver })))
      }
  }
  return { results, leftOut }
}

/** Opens a section for both builds, and measures each of its rows in turns. */
async function compareSection(name, section, { newer, older, ...pace }) {
  const opened = []
  const open = async (context) => {
    const rows = await section.open(context)
    opened.push(rows)
    return rows.rows
  }
  const results = []
  try {
    const olderRows = await orNothing(name, older, () => open(older))
    for (const row of await open(newer)) {
      const same = olderRows?.find((each) => each.name === row.name)
      results.push(...(await compareRow(name, section, { newer, older, row, same, ...pace })))
    }
  } finally {
    for (const { close } of opened) await close()
  }
  return results
}

async function compareRow(name, section, { isOver, newer, older, rounds, row, same, windowMs }) {
  newer.progress(`${name}: ${row.name}`)
  const measured = await alternate(name, {
    rounds: Math.max(rounds, section.rounds ?? 0),
    isOver,
    older: same === undefined ? null : { ...older, measure: () => same.measure(windowMs) },
    newer: { ...newer, measure: () => row.measure(windowMs) },
  })
  const toTables = (cells) => [{ columns: section.columns, rows: [[row.name, ...cells]] }]
  return compareCells(name, {
    older: measured.older.map(toTables),
    newer: measured.newer.map(toTables),
    isWanted: (column) => section.compared.includes(column),
    isLeast: section.isLeast,
  })
}

/** Runs a bench without sections as a whole for both builds in turns, and compares all figures. */
async function compareTables(name, bench, { isOver, newer, older, rounds }) {
  const runs = (context) => ({ ...context, measure: () => bench.run(context) })
  const measured = await alternate(name, { rounds, isOver, older: runs(older), newer: runs(newer) })
  return compareCells(name, { ...measured, isWanted: () => true })
}

/** Measures two builds in turns, in the other order in every second round; returns what each round gave. */
async function alternate(name, { isOver, newer, older, rounds }) {
  const measured = { older: [], newer: [] }
  let oldBuild = older
  for (let round = 0; round < rounds && !(round > 0 && isOver()); round++) {
    const measureOlder = async () => {
      const value = oldBuild && (await orNothing(name, oldBuild, oldBuild.measure))
      if (value === null) oldBuild = null
      else measured.older.push(value)
    }
    if (round % 2 === 0) await measureOlder()
    measured.newer.push(await newer.measure())
    if (round % 2 === 1) await measureOlder()
  }
  // Without every round of the older build, the rounds would not be those of the same time.
  if (oldBuild === null) measured.older = []
  return measured
}

/** Compares the cells that are figures, by the names of their rows: `newer` has the tables of each round. */
function compareCells(name, { isLeast = false, isWanted, newer, older }) {
  const [first] = newer
  return first.flatMap((table, at) =>
    table.rows.flatMap((row) =>
      row.slice(1).flatMap((cell, index) => {
        const column = table.columns[index + 1]
        if (typeof cell === 'string' || !isWanted(column)) return []
        const valuesOf = (runs) => runs.map((tables) => findFigure(tables[at], row[0], column))
        const olderValues = valuesOf(older)
        const samples = {
          newer: valuesOf(newer),
          older: olderValues.includes(undefined) ? [] : olderValues,
          isLeast,
        }
        const what = `${name}: ${row[0]}, ${column}`
        return [{ what, unit: cell.unit, ...compareSamples(samples), rounds: newer.length }]
      }),
    ),
  )
}

function findFigure(table, rowName, column) {
  const row = table?.rows.find(([each]) => each === rowName)
  return row?.[table.columns.indexOf(column)]?.value
}

/** Returns null for what an older build cannot do, and states why. */
async function orNothing(name, { progress }, work) {
  try {
    return await work()
  } catch (error) {
    progress(`${name}: not with the older build: ${error.message.split('\n')[0]}`)
    return null
  }
}
