export { type PasskeyPlace, usePasskeyPlace } from './use-passkey-place.ts'
