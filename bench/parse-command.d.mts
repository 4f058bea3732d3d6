export type BenchCommand =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'run'
      readonly names: readonly string[]
      readonly quick: boolean
      readonly json: string | undefined
    }
  | { readonly kind: 'write'; readonly names: readonly string[] }
  | {
      readonly kind: 'compare'
      readonly commit: string
      readonly names: readonly string[]
      readonly windowMs: number
      readonly rounds: number
      readonly json: string | undefined
    }

export declare const COMPARED: readonly string[]

export declare function parseCommand(args: readonly string[], known: readonly string[]): BenchCommand
