export function browserInstruction(problem: string): string
export function findBrowserInstruction(messages: readonly string[]): string | null
