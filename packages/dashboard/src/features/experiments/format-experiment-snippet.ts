interface SnippetOf {
  readonly flag_key: string
  readonly goal_event_key: string
  /** A boolean flag is read with another call. */
  readonly isBoolean?: boolean
}

/** The lines of code that fill an experiment. Keys hold nothing that would need escaping. */
export function formatExperimentSnippet(
  { flag_key, goal_event_key, isBoolean = false }: SnippetOf = {
    flag_key: 'button-colour',
    goal_event_key: 'order-placed',
  },
): string {
  const ask = isBoolean
    ? `if (flags.isEnabled('${flag_key}', user.id)) {`
    : `const value = flags.getVariant('${flag_key}', user.id)`
  return [
    '// the user sees a value of the flag',
    ask,
    ...(isBoolean ? ['  // ...', '}'] : []),
    '',
    '// the user reaches the goal',
    `flags.track('${goal_event_key}', user.id)`,
  ].join('\n')
}
