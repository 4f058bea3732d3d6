export { generateOpenFeature } from './generate-openfeature.ts'
export { generateTypes, generateTypesInSteps } from './generate-types.ts'
export { generateManifest, type Manifest, toManifestFlag, toManifestType } from './manifest.ts'
export type { TypedFlag } from './typed-flag.ts'
