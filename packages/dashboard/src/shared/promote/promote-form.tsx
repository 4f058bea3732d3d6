import type { Environment, Flag } from '@burgee/contract'
import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSubmit } from '../forms/use-submit.ts'
import { isProduction } from '../scope/is-production.ts'
import { needsApproval } from '../scope/needs-approval.ts'
import { useMay } from '../scope/use-may.ts'
import { useScope } from '../scope/use-scope.ts'
import { ApprovalNote } from '../ui/approval-note.tsx'
import { Failure } from '../ui/failure.tsx'
import { Gated } from '../ui/gated.tsx'
import { TypedKey } from '../ui/typed-key.tsx'
import { promote } from './promote.ts'
import { PromotionOutcome } from './promotion-outcome.tsx'
import { usePromotion } from './use-promotion.ts'

interface PromoteFormProps {
  readonly flag: Flag
  readonly source: Environment
  /** Undefined until one is chosen. */
  readonly target: Environment | undefined
  readonly onClose: () => void
}

/** What would change in the target, and the button that does it. */
export function PromoteForm({ flag, source, target, onClose }: PromoteFormProps) {
  const client = useQueryClient()
  const { project_id } = useScope()
  const permission = useMay()('promoteFlag')
  const promotion = usePromotion(flag, source.id, target)
  const [is_copying, setCopying] = useState(true)
  const [typed, setTyped] = useState('')
  const { before, is_same, missing_segments } = promotion
  const is_live = isProduction(target)
  const has_to_type = is_live && !!before && !is_same
  const is_asking = !!before && needsApproval(target)
  const is_ready = target !== undefined && before !== undefined && !is_same
  const { form_props, failure, is_busy } = useSubmit([], async () => {
    if (!target || before === undefined) return
    const copy_segments = missing_segments.length > 0 && is_copying
    await promote(client, { project_id, flag, source, target, before, copy_segments })
    onClose()
  })
  return (
    <form {...form_props}>
      <Stack gap="md">
        <PromotionOutcome promotion={promotion} target={target} />
        {is_ready && missing_segments.length > 0 && (
          <Checkbox
            checked={is_copying}
            onChange={(event) => setCopying(event.currentTarget.checked)}
            label={`Copy the ${missing_segments.length === 1 ? 'segment' : 'segments'} that ${target.name} lacks: ${missing_segments.join(', ')}`}
            description="Without it, the rules that name it match no users there."
          />
        )}
        {is_ready && is_asking && <ApprovalNote environment_name={target.name} />}
        {is_ready && is_live && !is_asking && <LiveWarning name={target.name} />}
        {has_to_type && <TypedKey expected={flag.key} value={typed} onChange={setTyped} />}
        {failure !== null && <Failure error={failure} title="The flag was not promoted" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Gated permission={permission}>
            <Button
              type="submit"
              {...(is_live && !is_asking && { color: 'red' })}
              loading={is_busy}
              disabled={!is_ready || (has_to_type && typed !== flag.key)}
            >
              {is_asking ? 'Ask for approval' : target ? `Promote to ${target.name}` : 'Promote'}
            </Button>
          </Gated>
        </Group>
      </Stack>
    </form>
  )
}

function LiveWarning({ name }: { readonly name: string }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={`${name} is live`}>
      <Text size="sm">Every connected SDK follows at once.</Text>
    </Alert>
  )
}
