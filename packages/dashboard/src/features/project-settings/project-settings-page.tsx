import { Tabs } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Page } from '../../shared/ui/page.tsx'
import { EnvironmentsTab } from './environments/environments-tab.tsx'
import { GeneralTab } from './general/general-tab.tsx'
import { InvariantsTab } from './invariants/invariants-tab.tsx'
import { KeysTab } from './keys/keys-tab.tsx'
import { MembersTab } from './members/members-tab.tsx'
import classes from './project-settings.module.css'

const TABS = [
  { value: 'general', label: 'General' },
  { value: 'environments', label: 'Environments' },
  { value: 'keys', label: 'SDK keys' },
  { value: 'members', label: 'Members' },
  { value: 'invariants', label: 'Invariants' },
] as const

/** The parts of a project: its name, environments, keys, members and invariants. */
export function ProjectSettingsPage() {
  const { project, project_id } = useScope()
  const [{ tab }, setAddress] = useUrlState({ tab: 'general' })
  const shown = TABS.some(({ value }) => value === tab) ? tab : 'general'
  return (
    <Page title="Project settings" width="reading" description={project?.name}>
      <Tabs
        key={project_id}
        value={shown}
        onChange={(value) => setAddress({ tab: value ?? 'general' }, { replace: false })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" aria-label="Project settings">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} className={classes.tab ?? ''}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="general">
          <GeneralTab />
        </Tabs.Panel>
        <Tabs.Panel value="environments">
          <EnvironmentsTab />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <KeysTab />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <MembersTab />
        </Tabs.Panel>
        <Tabs.Panel value="invariants">
          <InvariantsTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
