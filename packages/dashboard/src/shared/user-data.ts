/** What this browser stores of a person's work, by its key in the local storage. It goes when they sign out. */
export const USER_DATA = { presets: 'burgee-evaluate-presets', place: 'burgee-last-environment' } as const

/** How the dashboard looks belongs to the browser: it stays. */
export const COLOUR_SCHEME = 'burgee-colour-scheme'

/** Forgets what this browser stores of a person. */
export function forgetUserData(): void {
  for (const key of Object.values(USER_DATA)) withStorage((storage) => storage.removeItem(key))
}

/** Gives the function that stores the colour scheme again: signing out clears the site's whole storage. */
export function keepColourScheme(): () => void {
  const scheme = withStorage((storage) => storage.getItem(COLOUR_SCHEME)) ?? null
  return () => {
    if (scheme !== null) withStorage((storage) => storage.setItem(COLOUR_SCHEME, scheme))
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
