import type { ProxySettings } from '@burgee/egress'
import type { SettingValues } from './settings.ts'

/** Returns the settings of the proxy for outgoing requests. */
export const proxyOf = ({ HTTPS_PROXY, NO_PROXY }: SettingValues): ProxySettings => ({
  ...(HTTPS_PROXY !== null && { HTTPS_PROXY }),
  ...(NO_PROXY !== null && { NO_PROXY }),
})

/** Returns the settings of outgoing requests. */
export const outboundOf = (values: SettingValues) => ({
  blockPrivateTargets: values.BLOCK_PRIVATE_TARGETS,
  outboundAllow: values.OUTBOUND_ALLOW ?? [],
  proxy: proxyOf(values),
})
