import {
  IconAdjustmentsHorizontal,
  IconArrowsDiff,
  IconBellRinging,
  IconCalendarTime,
  IconChartBar,
  IconChecklist,
  IconClockSearch,
  IconEye,
  IconFlag3,
  IconFlagOff,
  IconFlask,
  IconHistory,
  IconLayoutDashboard,
  IconPlugConnected,
  IconUserSearch,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'

const ICON = { size: 17, stroke: 1.6 }

/** The pages of an environment, in the order of the navigation; `g` and the shortcut open one. */
export const ENVIRONMENT_PAGES = [
  { to: 'flags', label: 'Flags', shortcut: 'f', icon: <IconFlag3 {...ICON} /> },
  { to: 'segments', label: 'Segments', shortcut: 's', icon: <IconUsersGroup {...ICON} /> },
  { to: 'evaluate', label: 'Evaluate', shortcut: 'e', icon: <IconUserSearch {...ICON} /> },
  { to: 'change-requests', label: 'Change requests', shortcut: 'c', icon: <IconChecklist {...ICON} /> },
  {
    to: 'scheduled-changes',
    label: 'Scheduled changes',
    shortcut: 'd',
    icon: <IconCalendarTime {...ICON} />,
  },
  { to: 'experiments', label: 'Experiments', shortcut: 'x', icon: <IconFlask {...ICON} /> },
  { to: 'impressions', label: 'Impressions', shortcut: 'i', icon: <IconChartBar {...ICON} /> },
  { to: 'exposure', label: 'Exposure', shortcut: 'o', icon: <IconEye {...ICON} /> },
  { to: 'audit', label: 'Audit log', shortcut: 'a', icon: <IconHistory {...ICON} /> },
  { to: 'webhooks', label: 'Webhooks', shortcut: 'w', icon: <IconWebhook {...ICON} /> },
  { to: 'integrations', label: 'Slack & Teams', shortcut: 'h', icon: <IconBellRinging {...ICON} /> },
  { to: 'connect', label: 'Connect your app', shortcut: 'n', icon: <IconPlugConnected {...ICON} /> },
] as const

/** The pages of a project. */
export const PROJECT_PAGES = [
  { to: 'overview', label: 'Overview', shortcut: 'v', icon: <IconLayoutDashboard {...ICON} /> },
  { to: 'incident', label: 'Incident', shortcut: 'q', icon: <IconClockSearch {...ICON} /> },
  { to: 'compare', label: 'Compare', shortcut: 'm', icon: <IconArrowsDiff {...ICON} /> },
  { to: 'stale', label: 'Stale flags', shortcut: 't', icon: <IconFlagOff {...ICON} /> },
  {
    to: 'settings',
    label: 'Project settings',
    shortcut: 'p',
    icon: <IconAdjustmentsHorizontal {...ICON} />,
  },
] as const
