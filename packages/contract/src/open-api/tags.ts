/** What the groups of operations are about, in the order in which the document lists them. */
export const TAGS: Readonly<Record<string, string>> = {
  System: 'Is the server alive and ready, what does it measure, and this description',
  Setup: 'The wizard that creates the first admin and the first project, once',
  Auth: "Signing in and out, and one's own account",
  Workspace: 'The one workspace that an installation has',
  User: 'People with an account, kept by workspace admins',
  'Access token': "The caller's own personal access tokens, for scripts",
  Project: 'Projects, each with environments, flags, keys and members of its own',
  Member: 'Who may do what in a project',
  Environment: 'The stages of a project, such as Production; every flag lives in one',
  'SDK key': 'Keys by which programs receive the flags of one environment',
  Flag: 'Feature flags: edit, archive, promote, compare, restore',
  Segment: 'Groups of users that the rules of flags name',
  'Change request': 'Changes that wait for the approval of somebody else',
  'Scheduled change': 'Changes that wait for their time',
  Audit: 'Who changed what, and when; entries are never changed',
  Stream: 'How SDKs receive flags: a stream of events, or a snapshot to poll',
}
