/** `npm run build`: compiles every package. */
import { build, ensureInstalled } from './prepare.mjs'

ensureInstalled()
await build()
