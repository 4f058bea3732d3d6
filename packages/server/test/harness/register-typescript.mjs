// `node --import <this file> -C burgee-source program.ts` runs a program of the sources in its own process,
// also on Node 20.
import { register } from 'node:module'

register('./typescript-loader.mjs', import.meta.url)
