interface TestFileResult {
  readonly message?: string
  readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[]
}

export function browserInstruction(problem: string): string
export function findBrowserInstruction(testResults: readonly TestFileResult[]): string | null
