import type { Compared } from './ratios.mjs'

type Cell = string | { readonly value: number; readonly unit: string }

interface OpenSection {
  readonly rows: readonly { readonly name: string; measure(ms: number): Promise<readonly Cell[]> }[]
  close(): Promise<unknown>
}

interface Section<Context> {
  readonly columns: readonly string[]
  readonly compared: readonly string[]
  readonly rounds?: number
  readonly isLeast?: boolean
  open(context: Context): Promise<OpenSection>
}

interface Bench<Context> {
  sections?(context: Context): readonly Section<Context>[]
  run?(
    context: Context,
  ): Promise<readonly { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }[]>
}

export declare function compareBuilds<Context extends { progress(what: string): void }>(input: {
  readonly benches: readonly (readonly [string, Bench<Context>])[]
  readonly older: Context
  readonly newer: Context
  readonly rounds: number
  readonly windowMs: number
}): Promise<{
  readonly results: readonly (Compared & {
    readonly what: string
    readonly unit: string
    readonly rounds: number
  })[]
  readonly leftOut: readonly string[]
}>
