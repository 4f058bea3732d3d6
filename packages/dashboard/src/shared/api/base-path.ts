/**
 * The path below which the server is: empty, or `/burgee` where `PUBLIC_URL` has one (docs/settings.md). The
 * page loads this file from `assets`, directly below it; only a development server does not.
 */
export const BASE_PATH: string = import.meta.env.DEV
  ? ''
  : new URL('..', import.meta.url).pathname.replace(/\/$/, '')

/** The address of the server: `https://flags.example.com/burgee`. */
export const serverUrl = (): string => location.origin + BASE_PATH

/** Returns the path and the query of the open page below the server's address. */
export const openPath = (): string => location.pathname.slice(BASE_PATH.length) + location.search
