/** `npm start`: installs and builds what is missing, then runs the server in this process. */
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

ensureInstalled()
ensureBuilt()
await import('../packages/server/dist/bundle/main.js')
