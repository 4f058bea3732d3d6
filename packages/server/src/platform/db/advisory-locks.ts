/** The numbers of the advisory locks that the server takes in its database. No two kinds of work share one. */
export const ADVISORY_LOCKS = {
  /** Making partitions of reports; dropping them may have to wait for readers. */
  makeReportPartitions: 4_201_977,
  dropReportPartitions: 4_201_978,
  /** Removing deleted reports. */
  removeReports: 4_201_979,
  /** Replacing the user hashes of earlier versions. */
  keyUserHashes: 4_201_980,
  /** Granting rights to the role that serves requests. */
  grantApplication: 4_201_982,
  /** Making months of the audit log, and dropping them. */
  makeAuditMonths: 4_201_983,
  dropAuditMonths: 4_201_984,
  /** Turning events into deliveries. */
  fanOut: 7_362_100,
} as const
