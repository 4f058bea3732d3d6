interface SparklineProps {
  readonly counts: readonly number[]
  /** The text for screen readers. */
  readonly label: string
  readonly width?: number
  readonly height?: number
}

/** Counts over time as a line without axes. Plain SVG, so that a list of thousands stays quick. */
export function Sparkline({ counts, label, width = 84, height = 24 }: SparklineProps) {
  const top = Math.max(1, ...counts)
  const step = counts.length > 1 ? width / (counts.length - 1) : 0
  const y = (count: number) => height - 1.5 - (count / top) * (height - 3)
  const line = counts.map((count, index) => `${(index * step).toFixed(1)},${y(count).toFixed(1)}`).join(' ')
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polygon
        points={`0,${height} ${line} ${width},${height}`}
        fill="var(--burgee-series-1)"
        opacity={0.12}
      />
      <polyline
        points={line}
        fill="none"
        stroke="var(--burgee-series-1)"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  )
}
