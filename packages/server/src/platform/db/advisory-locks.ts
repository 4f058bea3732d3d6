/** The numbers of the server's advisory locks. Each kind of work has its own. */
export const ADVISORY_LOCKS = {
  /** Creating partitions of reports. Dropping has a lock of its own, because it may wait for readers. */
  makeReportPartitions: 4_201_977,
  dropReportPartitions: 4_201_978,
  /** Removing deleted reports. */
  removeReports: 4_201_979,
  /** Replacing the user hashes of earlier versions. */
  keyUserHashes: 4_201_980,
  /** Granting rights to the role that serves requests. */
  grantApplication: 4_201_982,
  /** Creating and dropping months of the audit log. */
  makeAuditMonths: 4_201_983,
  dropAuditMonths: 4_201_984,
  /** Storing unknown flags. With a second number, that of the environment. */
  storeUnknownFlags: 4_201_985,
  /** Changing the table of groups. What applies it to people holds the lock shared. */
  groupMappings: 4_201_986,
  /** Giving a person the roles of their groups. With a second number, that of the user. */
  groupRolesOfPerson: 4_201_987,
  /** Migrating the database. It is the lock of Kysely's migrator, with which servers of before migrate. */
  migrate: 3_853_314_791_062_309_107n,
  /** Creating webhooks and integrations. With a second number, that of the environment. */
  createReceivers: 4_201_991,
  /** Creating delivery jobs from events. */
  fanOut: 7_362_100,
} as const
