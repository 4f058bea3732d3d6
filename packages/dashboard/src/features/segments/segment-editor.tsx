import type { Segment, Warning } from '@burgee/contract'
import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { collectAttributes } from '../../parts/rules/collect-attributes.ts'
import { RulesEditor } from '../../parts/rules/rules-editor.tsx'
import { endpointQuery } from '../../shared/api/queries.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import { LeaveDialog } from '../../shared/ui/leave-dialog.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { WarningsAlert } from '../../shared/warnings/warnings-alert.tsx'
import { ReviewSegmentDialog } from './review-segment-dialog.tsx'
import { SegmentConflict } from './segment-conflict.tsx'
import { findProblems } from './segment-draft.ts'
import { SegmentFields } from './segment-fields.tsx'
import { SegmentKeys } from './segment-keys.tsx'
import { SegmentSaveBar } from './segment-save-bar.tsx'
import { findSegmentUsage } from './segment-usage.ts'
import { SegmentUsedBy } from './segment-used-by.tsx'
import classes from './segments.module.css'
import { useDeleteSegment } from './use-delete-segment.tsx'
import { useSegmentDraft } from './use-segment-draft.ts'

/** A segment's fields and rules, with a review before they are saved. */
export function SegmentEditor({ segment }: { readonly segment: Segment }) {
  const permission = usePermissions()('patchSegment')
  const edited = useSegmentDraft(segment)
  const { draft, edit, isDirty, reset } = edited
  const { usage, others, attributes } = useSurroundings(segment)
  const remove = useDeleteSegment(segment, usage)
  const [isReviewing, setReviewing] = useState(false)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [warnings, setWarnings] = useState<readonly Warning[]>([])
  const taken = others.map(({ key }) => key)
  const review = () => {
    const found = findProblems(draft, taken)
    setProblems(found)
    if (isDirty && Object.keys(found).length === 0) setReviewing(true)
  }
  useHotkeys([['mod+S', review]], [])
  const deletion = (
    <Gated permission={permission}>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={remove}>
        Delete
      </Button>
    </Gated>
  )
  return (
    <Page title={segment.name} description={segment.key} actions={deletion}>
      <div className={classes.columns}>
        <Stack gap="lg">
          {edited.hasConflict && <SegmentConflict edited={edited} current={segment} />}
          <WarningsAlert warnings={warnings} title="Saved, but probably not what you mean" />
          <SegmentFields
            segment={segment}
            draft={draft}
            onChange={edit}
            problems={problems}
            locked={permission.reason}
            usage={usage}
          />
          <SegmentKeys
            draft={draft}
            onChange={edit}
            problems={problems}
            isLocked={permission.reason !== undefined}
          />
          <Paper withBorder p="md" component="section" aria-labelledby="segment-rules">
            <Title order={2} size="h5" id="segment-rules">
              Rules
            </Title>
            <Text size="sm" c="dimmed" mb="sm">
              Users who match any of these rules are in the segment.
            </Text>
            <RulesEditor
              rules={draft.rules}
              onChange={(rules) => edit({ rules })}
              segments={others}
              attributes={attributes}
              flag_type={null}
              locked={permission.reason}
              problems={problems}
            />
          </Paper>
        </Stack>
        <SegmentUsedBy usage={usage} />
      </div>
      {isDirty && <SegmentSaveBar edited={edited} onReview={review} onDiscard={() => reset(segment)} />}
      <ReviewSegmentDialog
        isOpen={isReviewing}
        onClose={() => setReviewing(false)}
        edited={edited}
        onProblems={setProblems}
        onSaved={setWarnings}
      />
      <LeaveDialog isDirty={isDirty} noun="segment" />
    </Page>
  )
}

/** The other things in the environment that concern this segment; empty until they are known. */
function useSurroundings({ environment_id: env_id, id, key }: Segment) {
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id } })).data
  const segments = useQuery(endpointQuery('listSegments', { params: { env_id } })).data
  return useMemo(
    () => ({
      usage: flags && segments ? findSegmentUsage(key, flags, segments) : null,
      others: (segments ?? []).filter((other) => other.id !== id),
      attributes: collectAttributes(flags ?? [], segments ?? []),
    }),
    [id, key, flags, segments],
  )
}
