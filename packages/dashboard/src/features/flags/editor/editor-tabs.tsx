import type { Flag } from '@burgee/contract'
import { Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useUrlState } from '../../../shared/scope/use-url-state.ts'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { JsonTab } from './json-tab.tsx'
import type { JsonTyping } from './json-typing.ts'
import { TargetingTab } from './targeting-tab.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

const FlagHistoryTab = lazy(() =>
  import('../history/flag-history-tab.tsx').then(({ FlagHistoryTab }) => ({ default: FlagHistoryTab })),
)
const FlagScheduleTab = lazy(() =>
  import('../schedule/flag-schedule-tab.tsx').then(({ FlagScheduleTab }) => ({ default: FlagScheduleTab })),
)

interface EditorTabsProps {
  readonly flag: Flag
  readonly editor: FlagDraft
  readonly jsonTyping: JsonTyping | null
  readonly onJsonTyping: (typing: JsonTyping | null) => void
  readonly onReview: () => void
}

const TABS: readonly string[] = ['targeting', 'json', 'history', 'schedule']

/** The tabs of the page; the address has the open one. */
export function EditorTabs({ flag, editor, jsonTyping, onJsonTyping, onReview }: EditorTabsProps) {
  const [{ tab }, setUrl] = useUrlState({ tab: 'targeting' })
  return (
    <Tabs
      value={TABS.includes(tab) ? tab : 'targeting'}
      onChange={(next) => next !== null && setUrl({ tab: next })}
      keepMounted={false}
      keepMountedMode="display-none"
    >
      <Tabs.List mb="lg" aria-label="Parts of the flag">
        <Tabs.Tab value="targeting">Targeting</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
        <Tabs.Tab value="schedule">Schedule</Tabs.Tab>
      </Tabs.List>
      {/* Kept, so that what is typed and cannot be read yet is not lost. */}
      <Tabs.Panel value="targeting" keepMounted>
        <TargetingTab editor={editor} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <JsonTab editor={editor} typing={jsonTyping} onChange={onJsonTyping} onReview={onReview} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <Suspense fallback={<SkeletonRows />}>
          <FlagHistoryTab flag={flag} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="schedule">
        <Suspense fallback={<SkeletonRows />}>
          <FlagScheduleTab flag={flag} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}
