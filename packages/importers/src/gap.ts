/** Something that Burgee cannot express. The message ends up in the report. */
export class Gap extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'Gap'
    this.code = code
  }
}

/** Runs a translation; null, with the gap passed to `report`, where it cannot be made. */
export function orGap<Value>(translate: () => Value, report: (gap: Gap) => void): Value | null {
  try {
    return translate()
  } catch (error) {
    if (!(error instanceof Gap)) throw error
    report(error)
    return null
  }
}

/** Why a segment may have other users than in the other service. */
export type Flaw = Pick<Gap, 'code' | 'message'>
