export { createTranslator } from './create-translator.ts'
export { importHandlers } from './handlers.ts'
