export function findWords(text: string): { name: string; line: number }[]
