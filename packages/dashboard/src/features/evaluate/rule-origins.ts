import type { RuleOrigin as StreamedOrigin } from '@burgee/contract'

/** The place that an expanded rule comes from. */
export type RuleOrigin = Omit<StreamedOrigin, 'count'>

/** The origins of the expanded rules of each flag, in order. Flags whose rules are as written have none. */
export type Origins = ReadonlyMap<string, readonly RuleOrigin[]>

/** The origin of each expanded rule; the stream sends those that are the same in a row together. */
export const spreadOrigins = (streamed: readonly StreamedOrigin[]): RuleOrigin[] =>
  streamed.flatMap(({ count, ...origin }) => Array.from({ length: count }, () => origin))
