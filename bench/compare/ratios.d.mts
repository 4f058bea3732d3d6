export interface Compared {
  readonly older: number | null
  readonly newer: number
  readonly ratio: number | null
  readonly least: number | null
  readonly most: number | null
}

export declare function compareSamples(samples: {
  readonly older: readonly number[]
  readonly newer: readonly number[]
  readonly isLeast?: boolean
}): Compared

export declare function comparisonTable(
  commit: string,
  results: readonly (Compared & {
    readonly what: string
    readonly unit: string
    readonly rounds: number
  })[],
): string
