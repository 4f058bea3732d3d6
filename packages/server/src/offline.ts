/** Files of flags without a server: their checks, and the environment that `burgee dev` serves. */
export { checkOffline } from './offline/check-invariants.ts'
export { compileFlags } from './offline/compile-files.ts'
export { createLocalEnvironment, type LocalEnvironment } from './offline/local-environment.ts'
