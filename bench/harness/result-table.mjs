/**
 * Creates a cell with a number, its unit and an optional goal: `{ atMost }` or `{ atLeast }` in the same
 * unit.
 */
export function figure(value, unit, goal) {
  return { value, unit, ...(goal && { goal, met: isMet(value, goal) }) }
}

function isMet(value, { atMost, atLeast }) {
  return atMost === undefined ? value >= atLeast : value <= atMost
}

/** Formats a Markdown table. Cells are texts or figures, which show their goals. */
export function markdownTable({ columns, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const rule = line(columns.map((_, index) => (index === 0 ? '---' : '---:')))
  return [line(columns), rule, ...rows.map((row) => line(row.map(cellText)))].join('\n')
}

function cellText(cell) {
  if (typeof cell === 'string') return cell
  const measured = numberText(cell.value) + (cell.unit ? ` ${cell.unit}` : '')
  if (!cell.goal) return measured
  const { atMost, atLeast } = cell.goal
  const goal = atMost === undefined ? `≥ ${numberText(atLeast)}` : `≤ ${numberText(atMost)}`
  return `${cell.met ? measured : `**${measured}**`} (goal ${goal}${cell.met ? '' : ', missed'})`
}

export function numberText(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}
