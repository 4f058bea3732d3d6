import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractEndpoints } from './vite/contract-endpoints.ts'
import { gzipCopies } from './vite/gzip-copies.ts'

/** The address of the running server for `vite dev`. */
const API = process.env.BURGEE_URL ?? 'http://localhost:3000'

export default defineConfig({
  // Files name each other relatively, and the server completes the addresses in the page (PUBLIC_URL).
  base: './',
  plugins: [react(), contractEndpoints(), gzipCopies()],
  // The server puts a fresh nonce in its place with each page (http/static-files.ts).
  html: { cspNonce: '__CSP_NONCE__' },
  resolve: { conditions: ['burgee-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: fileURLToPath(new URL('../server/public', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The first browsers with light-dark(). Its replacement for older ones needs more than the styles have.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // A data: address would need a hole in the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/stream', '/flags/snapshot', '/health'].map((path) => [path, { target: API }]),
    ),
  },
})
