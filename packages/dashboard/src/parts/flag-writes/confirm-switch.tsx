import type { Environment, Flag } from '@burgee/contract'
import { Stack } from '@mantine/core'
import { confirm } from '../../shared/forms/confirm.tsx'
import { ImpactPanel, patchOfFlag } from '../impact/index.tsx'
import { switchConsequence } from './switch-question.ts'

interface ConfirmedSwitch {
  readonly flag: Pick<Flag, 'key' | 'is_enabled'>
  readonly project_id: string
  readonly environment: Environment
  readonly onConfirm: (comment: string | undefined) => Promise<unknown>
}

/** Opens the question before a flag is switched, with the users whom that changes. */
export function confirmSwitch({ environment, flag, onConfirm, project_id }: ConfirmedSwitch): void {
  const { is_enabled, key } = flag
  const verb = is_enabled ? 'Turn off' : 'Turn on'
  confirm({
    title: `${verb} ${key} in ${environment.name}?`,
    children: (
      <Stack gap="sm">
        <span>{switchConsequence(environment)}</span>
        <ImpactPanel
          isShort
          project_id={project_id}
          environment_id={environment.id}
          changes={[patchOfFlag(key, { is_enabled: !is_enabled })]}
        />
      </Stack>
    ),
    confirmLabel: verb,
    tone: 'calm',
    commentIn: environment,
    onConfirm,
  })
}
