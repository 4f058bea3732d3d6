/** `npm start`: installs and builds what is missing, then runs the server in this process. */
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

ensureInstalled()
ensureBuilt()
// The bundle exists once the line above has run; a path in a variable keeps the type checker out of it.
const bundle = new URL('../packages/server/dist/bundle/main.js', import.meta.url).href
await import(bundle)
