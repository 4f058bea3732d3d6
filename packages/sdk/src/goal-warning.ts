/** Development is a Node program without NODE_ENV=production, and a page of this machine. */
export function warn(message: string): void {
  const { location, process } = globalThis as typeof globalThis & {
    process?: { env?: Record<string, string | undefined> }
  }
  const isProduction = location
    ? !/^localhost|^127/.test(location.hostname)
    : process?.env?.NODE_ENV === 'production'
  // biome-ignore lint/suspicious/noConsole: the developer reads the console
  if (!isProduction) console.warn(message)
}

/** The keys that the goal of an experiment can have. Events with other keys are counted, too. */
const EXPERIMENT_KEY = /^[\w-]{1,100}$/

/** Returns whether no experiment can have the goal, of which the developer is warned. */
export function warnOfGoal(eventKey: string, warn: (message: string) => void): boolean {
  const isUnfit = !EXPERIMENT_KEY.test(eventKey)
  if (isUnfit) warn(`No experiment can have the goal "${eventKey}": use letters, digits, _ and -`)
  return isUnfit
}
