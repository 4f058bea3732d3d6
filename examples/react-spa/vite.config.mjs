import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // BURGEE_URL and BURGEE_SDK_KEY become part of the page, so the key is one of the kind client.
  envPrefix: 'BURGEE_',
})
