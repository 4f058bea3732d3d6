/** The result of a check. `skipped`: it needs something that is missing. */
export type Level = 'ok' | 'warning' | 'problem' | 'skipped'

/** The result of one check of a server. */
export interface Finding {
  readonly check: string
  readonly level: Level
  /** The observation. */
  readonly text: string
  /** The change to make; null when nothing is wrong. */
  readonly advice: string | null
}

/** Returns the constructors of the findings of a check. */
export const findingsOf = (check: string) => ({
  ok: (text: string): Finding => ({ check, level: 'ok', text, advice: null }),
  skipped: (text: string): Finding => ({ check, level: 'skipped', text, advice: null }),
  warning: (text: string, advice: string): Finding => ({ check, level: 'warning', text, advice }),
  problem: (text: string, advice: string): Finding => ({ check, level: 'problem', text, advice }),
})
