export { type Devtools, type DevtoolsOptions, mountDevtools } from './mount-devtools.ts'
