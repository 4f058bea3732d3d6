/** A text of the API with its pointers to rules as people count them: `/rules/0` becomes `rule 1`. */
export const nameRules = (text: string): string =>
  text.replaceAll(/\/rules\/(\d+)(?:\/variant)?/g, (_, index: string) => `rule ${Number(index) + 1}`)
