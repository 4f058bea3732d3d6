/**
 * The data of a person's work that this browser stores, by its key in the local storage. It goes when they
 * sign out.
 */
export const USER_DATA = {
  presets: 'burgee-evaluate-presets',
  place: 'burgee-last-environment',
  recentFlags: 'burgee-recent-flags',
} as const

/** The color scheme of the dashboard belongs to the browser: it stays. */
export const COLOR_SCHEME = 'burgee-color-scheme'

/** Forgets what this browser stores of a person. */
export function forgetUserData(): void {
  for (const key of Object.values(USER_DATA)) withStorage((storage) => storage.removeItem(key))
}

/**
 * Forgets the presets, which may hold personal data. Gives the function that stores them again, for the same
 * person.
 */
export function forgetPresets(): () => void {
  const restore = keep(USER_DATA.presets)
  withStorage((storage) => storage.removeItem(USER_DATA.presets))
  return restore
}

/** Gives the function that stores the color scheme again: signing out clears the site's whole storage. */
export const keepColorScheme = (): (() => void) => keep(COLOR_SCHEME)

/** Gives the function that stores what is stored now. */
function keep(key: string): () => void {
  const value = withStorage((storage) => storage.getItem(key)) ?? null
  return () => {
    if (value !== null) withStorage((storage) => storage.setItem(key, value))
  }
}

/** undefined where the browser blocks its storage. */
function withStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(localStorage)
  } catch {
    return undefined
  }
}
