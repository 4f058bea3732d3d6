export declare function refuseWriting(page: string, names: readonly string[], load: number): string | null

export declare function describeTables(measured: {
  readonly commit: string
  readonly day: string
  readonly statements: number
  readonly hashNs: number
}): string

export declare function replaceTables(
  page: string,
  tables: { readonly name: string; readonly tables: readonly string[]; readonly source: string },
): string
