import { Tabs } from '@mantine/core'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Page } from '../../shared/ui/page.tsx'
import { AnalyticsTab } from './analytics/analytics-tab.tsx'
import { DeleteReportsAction } from './deleting/delete-reports-action.tsx'
import { StreamTab } from './stream/stream-tab.tsx'

const TABS = [
  { value: 'analytics', label: 'Analytics', Content: AnalyticsTab },
  { value: 'stream', label: 'Stream', Content: StreamTab },
] as const

/** The values that flags gave to users: counted by flag, and one by one as they arrive. */
export function ImpressionsPage() {
  const [{ tab }, setUrl] = useUrlState({ tab: 'analytics' })
  const open = TABS.find(({ value }) => value === tab) ?? TABS[0]
  return (
    <Page
      title="Impressions"
      description="Evaluations of flags, as SDKs reported them"
      actions={<DeleteReportsAction />}
    >
      <Tabs
        value={open.value}
        onChange={(value) => setUrl({ tab: value ?? 'analytics' }, { replace: false })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value, Content }) => (
          <Tabs.Panel key={value} value={value}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
