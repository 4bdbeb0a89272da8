import { formatCount, visibleText } from '../display.ts'

/** Texts of Publish Again in addition to `packageMessages` and `blueprintTexts`. */
export const publishTexts = {
  title: 'Publish Again',
  target: (name: string, instance: string) => `${visibleText(name)} on ${visibleText(instance)}`,
  last: (version: string, user: string, time: string) => `Published ${version} ${time} by ${visibleText(user)}.`,
  running: (version: string, status: string) => `There now: ${visibleText(version)}, ${visibleText(status)}.`,
  notThere: 'The instance no longer has the package.',
  publicationsUnread: 'The publications of the manifest could not be read.',
  never: 'The manifest was not published, or its package was deleted.',
  checking: 'Checking the manifest and its contract…',
  checkUnread: 'The manifest could not be checked.',
  contract: {
    heading: 'Contract',
    none: (version: string) => `Callers of ${version} can go on.`,
    breaks: (version: string) => `Breaks callers of ${version}:`,
    unknown: 'Unknown until the errors are corrected.',
  },
  data: {
    heading: 'Data',
    reading: (instance: string) => `Checking the data on ${visibleText(instance)}…`,
    none: 'The records on the instance remain.',
    warnings: 'The instance would report:',
    obstacles: 'The new version would not start:',
    noPreview: 'The instance cannot check its data in advance.',
    signIn: 'Sign in to check the data.',
    unread: 'The data could not be checked.',
    unknown: 'Not checked because of the errors.',
  },
  scopes: {
    heading: 'Scopes',
    none: 'No operation opens to more callers.',
    opened: (count: number) =>
      count === 1 ? 'One operation opens to more callers:' : `${formatCount(count)} operations open to more callers:`,
    change: (entity: string, operation: string, before: string, after: string) =>
      `${operation} of ${entity}: ${before} before, ${after} now`,
  },
  more: (count: number) => `and ${formatCount(count)} more`,
  problems: {
    heading: 'Problems',
    none: 'None.',
  },
  settings: {
    heading: 'Settings',
    kinds: { DB_STRUCTURE: 'Database schema', ENTITY_GLOOP_MODEL: 'Data models' },
    noApi: 'No API',
    configured: 'As in the configuration.',
    chosen: 'As last published. Everything else is as in the configuration.',
    change: 'Change…',
  },
  changes: 'Show the changes',
  fix: 'Fix',
  blocked: {
    reading: 'The checks are still running.',
    errors: 'Correct the errors first.',
    signIn: 'Sign in at the instance first.',
    unchecked: 'The checks have failed. Retry them first.',
    records: 'The instance would refuse to start it because of its records.',
    version: 'Please provide a version.',
  },
} as const
