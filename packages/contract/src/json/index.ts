export { canonicalJson } from './canonical-json.ts'
export { findMergePatch } from './find-merge-patch.ts'
export { isObject } from './is-object.ts'
export { mergePatch } from './merge-patch.ts'
