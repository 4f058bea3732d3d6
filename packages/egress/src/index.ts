export { createProxyFetch } from './create-proxy-fetch.ts'
export { findProxy, isProxyUrl, type ProxySettings } from './find-proxy.ts'
export { openTunnel, ProxyRefused } from './open-tunnel.ts'
