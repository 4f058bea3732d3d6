import type { Environment, Flag } from '@burgee/contract'
import { Alert, Checkbox, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bothPermissions, useComment } from '../../shared/comments/use-comment.tsx'
import { ChangeActions } from '../../shared/forms/change-actions.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { isProduction } from '../../shared/scope/is-production.ts'
import { needsApproval } from '../../shared/scope/needs-approval.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { ApprovalNote } from '../../shared/ui/approval-note.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { TypedKey } from '../../shared/ui/typed-key.tsx'
import { ImpactPanel, promotionOf, useOverride } from '../impact/index.tsx'
import { promote } from './promote.ts'
import { PromotionOutcome } from './promotion-outcome.tsx'
import { usePromotePermission } from './use-promote-permission.ts'
import { usePromotion } from './use-promotion.ts'

interface PromoteFormProps {
  readonly flag: Flag
  readonly source: Environment
  /** Undefined until one is chosen. */
  readonly target: Environment | undefined
  readonly onClose: () => void
}

/** The changes in the target, and the button that makes them. */
export function PromoteForm({ flag, source, target, onClose }: PromoteFormProps) {
  const client = useQueryClient()
  const { project_id } = useScope()
  const may = usePromotePermission()
  const promotion = usePromotion(flag, source.id, target)
  const [isCopying, setCopying] = useState(true)
  const [typed, setTyped] = useState('')
  const { before, isSame, missingSegments } = promotion
  const isLive = isProduction(target)
  const hasToType = isLive && !!before && !isSame
  const isAsking = !!before && needsApproval(target)
  const isReady = target !== undefined && before !== undefined && !isSame
  const copiesSegments = missingSegments.length > 0 && isCopying
  const permission = may({ source, target, copiesSegments })
  const { comment, field, permission: commented } = useComment(target)
  const { formProps, failure, isBusy } = useSubmit([], async () => {
    if (!target || before === undefined) return
    const explained = { comment, overrideReason: override.overrideReason }
    const order = { project_id, flag, source, target, before, copy_segments: copiesSegments, explained }
    await promote(client, order)
    onClose()
  })
  const changes = [promotionOf(source, flag.key, copiesSegments)]
  const override = useOverride({
    ...{ environment_id: target?.id ?? '', changes, failure },
    isLater: !isReady || isAsking,
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PromotionOutcome promotion={promotion} target={target} />
        {isReady && (
          <ImpactPanel
            project_id={project_id}
            environment_id={target.id}
            changes={changes}
            names={flag.variant_names}
          />
        )}
        {isReady && missingSegments.length > 0 && (
          <Checkbox
            checked={isCopying}
            onChange={(event) => setCopying(event.currentTarget.checked)}
            label={`Copy the ${missingSegments.length === 1 ? 'segment' : 'segments'} that ${target.name} lacks: ${missingSegments.join(', ')}`}
            description="Without it, the rules that name it match no users there."
          />
        )}
        {isReady && isAsking && <ApprovalNote environment_name={target.name} />}
        {isReady && isLive && !isAsking && <LiveWarning name={target.name} />}
        {hasToType && <TypedKey expected={flag.key} value={typed} onChange={setTyped} />}
        {isReady && field}
        {failure !== null && <Failure error={failure} title="The flag was not promoted" />}
        {override.field}
        <ChangeActions
          label={target ? `Promote to ${target.name}` : 'Promote'}
          isAsking={isAsking}
          isBusy={isBusy}
          isReady={isReady && !(hasToType && typed !== flag.key)}
          isDangerous={isLive && !isAsking}
          permission={bothPermissions(permission, bothPermissions(override.permission, commented))}
          onClose={onClose}
        />
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
