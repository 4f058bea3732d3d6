import type { SdkKeyActor } from '../../src/kernel/actor.ts'

/** An SDK key as actor; a server key unless changed. */
export const aKeyActor = (over: Partial<SdkKeyActor> = {}): SdkKeyActor => ({
  kind: 'sdk_key',
  key_id: 1,
  name: 'Key',
  key_kind: 'server',
  project_id: 'p',
  environment_id: 'e',
  mayManage: true,
  createdBy: null,
  isSeeded: false,
  ...over,
})
