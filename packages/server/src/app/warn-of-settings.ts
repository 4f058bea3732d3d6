import type { Log } from '../platform/log/log.ts'
import { type Config, isProduction } from '../platform/settings/config.ts'
import { trustsMostAddresses } from '../platform/settings/trusts-most-addresses.ts'

/** Logs once at start which settings do less, or more, than their operator may expect. */
export function warnOfSettings({ log }: { readonly log: Log }, config: Config): void {
  if (trustsMostAddresses(config.trustProxy))
    log.warn(
      { setting: 'TRUST_PROXY' },
      'TRUST_PROXY holds half of all public addresses or more, so clients can name their own address: list the addresses of your proxies',
    )
  if (config.clientSnapshotCacheSeconds > 0)
    log.warn(
      { setting: 'CLIENT_SNAPSHOT_CACHE_SECONDS' },
      'CLIENT_SNAPSHOT_CACHE_SECONDS has no effect: no shared cache may keep GET /flags/snapshot, because some of them give the flags of one key to another. Remove it',
    )
  warnOfOpenTargets(log, config)
}

/** Logs which targets deliveries may reach, which the operator of a production server may not know. */
function warnOfOpenTargets(log: Log, config: Config): void {
  if (config.blockPrivateTargets) return
  if (config.outboundAllow.length > 0) {
    log.warn(
      'OUTBOUND_ALLOW has no effect: BLOCK_PRIVATE_TARGETS is off, so every private address may be reached',
    )
  } else if (isProduction(config)) {
    log.warn(
      'BLOCK_PRIVATE_TARGETS is off: webhooks and chat alerts may be sent to private addresses. Set it to true, and list those that you need in OUTBOUND_ALLOW',
    )
  }
}
