import { type Translation, translateFiles } from './translate-files.ts'

/** The program of the child process: one translation for each message. It ends with the server. */

process.on('message', (translation: Translation) => {
  process.send?.(translateFiles(translation))
})
process.send?.('ready')
