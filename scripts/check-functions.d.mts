export function listFunctions(
  text: string,
  file: string,
): { name: string; line: number; lines: number; isExempt: boolean }[]
