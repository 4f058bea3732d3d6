/** A measured number with its unit and, where there is one, its goal: `{ at_most }` or `{ at_least }` in the same unit. */
export function figure(value, unit, goal) {
  return { value, unit, ...(goal && { goal, met: isMet(value, goal) }) }
}

function isMet(value, { at_most, at_least }) {
  return at_most === undefined ? value >= at_least : value <= at_most
}

/** A Markdown table; cells are texts or figures, and a figure shows its goal beside it. */
export function markdownTable({ columns, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const rule = line(columns.map((_, index) => (index === 0 ? '---' : '---:')))
  return [line(columns), rule, ...rows.map((row) => line(row.map(cellText)))].join('\n')
}

function cellText(cell) {
  if (typeof cell === 'string') return cell
  const measured = numberText(cell.value) + (cell.unit ? ` ${cell.unit}` : '')
  if (!cell.goal) return measured
  const { at_most, at_least } = cell.goal
  const goal = at_most === undefined ? `≥ ${numberText(at_least)}` : `≤ ${numberText(at_most)}`
  return `${cell.met ? measured : `**${measured}**`} (goal ${goal}${cell.met ? '' : ', missed'})`
}

function numberText(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}
