import { hasStatus } from './api-error.ts'
import { call } from './call.ts'

/**
 * Checks after a login or the setup whether the browser kept the session cookie. A browser drops it when the
 * page came over plain http from another machine and the server sets cookies for https only
 * (`COOKIE_SECURE`).
 */
export async function isCookieDropped(): Promise<boolean> {
  if (location.protocol !== 'http:') return false
  try {
    await call('getCurrentUser', {}, { expectsExpiry: true })
    return false
  } catch (error) {
    return hasStatus(error, 401)
  }
}

export const COOKIE_DROPPED =
  'Your browser did not keep the session cookie: this page came over http, and the server sets its cookie for https ' +
  'only. Open Burgee over https. If you trust this network, restart the server with COOKIE_SECURE=false instead.'
