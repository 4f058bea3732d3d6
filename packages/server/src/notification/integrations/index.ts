export { integrationHandlers } from './handlers.ts'
export { toSlackMessage } from './messages/slack-message.ts'
export { toTeamsMessage } from './messages/teams-message.ts'
export { integrationExists } from './queries.ts'
