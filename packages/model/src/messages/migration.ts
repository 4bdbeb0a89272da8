import { formatCount, visibleText } from '../display.ts'
import { limits } from '../limits.ts'
import type { MigrationGrade } from '../migration-step.ts'

type GradeTexts = { heading: string; note: string; short: string }

const grades: Readonly<Record<MigrationGrade, GradeTexts>> = {
  losesData: {
    heading: 'Loses data',
    short: 'Loses data',
    note: 'What is stored there is gone afterwards. The query counts it.',
  },
  mayFail: {
    heading: 'May fail',
    short: 'May fail',
    note: 'The script tests this before it changes anything, and stops if the query counts any.',
  },
  rewrites: {
    heading: 'Rewrites tables',
    short: 'Rewrites',
    note: 'All records of the table are written anew. It is locked until then, which takes long for a large one.',
  },
  locks: {
    heading: 'Locks tables',
    short: 'Locks',
    note: 'The records of the table are read or indexed, and changes of them wait until then.',
  },
  safe: { heading: 'Safe', short: 'Safe', note: 'No record is touched.' },
}

/** The script that makes the tables of one side those of the other. */
export const migrationTexts = {
  title: (from: string, to: string, database: string) => `Migration from ${from} to ${to} for ${database}.`,
  choices:
    'The configuration writes choices as types or tables of the database, and they differ. A migration cannot change them: change them by hand, or write choices as checks.',
  tooLong: (limit: number) => `The script is longer than ${formatCount(limit)} characters and is not shown.`,
  scriptVersion: 'script',
  fromScript: {
    choose: 'From a Script…',
    title: 'Migrate from a Script',
    use: 'Use Script',
    about: 'The script that made the tables, such as an earlier export, takes the place of the state before.',
    file: 'File',
    text: 'Script',
    hint: 'Or paste it.',
    missing: 'Choose a file or paste a script.',
    detected: 'Detected',
    tooLarge: `The script is longer than ${formatCount(limits.sqlText)} characters.`,
    unread: 'The file could not be read.',
    used: 'From a script, not from the state before.',
    stop: 'Compare the States',
    renames: 'Renamed since',
    renamesHint: 'What the script has and the state after does not. What is not chosen is dropped.',
    suggested: (name: string) => `${visibleText(name)} (suggested)`,
    dropped: 'Dropped',
    takeAll: (count: number) => `Take ${formatCount(count)} ${count === 1 ? 'Suggestion' : 'Suggestions'}`,
    forget: (count: number) => `Forget ${formatCount(count)} ${count === 1 ? 'Choice' : 'Choices'}`,
  },
  grades,
  loading: 'Working out the migration',
  none: 'The tables are the same on both sides: there is nothing to migrate.',
  about: 'For a database of your own that was made from the exported schema.',
  directions: { label: 'Direction', up: 'Up', down: 'Down' },
  naming: { label: 'File name', plain: 'Plain', flyway: 'Flyway' },
  database: 'Database',
  problems: 'There is no script, because a side cannot be exported:',
  refused: 'A script cannot make these changes:',
  copyQuestion: 'Copy the query that counts them',
  counts: {
    heading: 'Records',
    about: (instance: string) =>
      `${visibleText(instance)} can count them in its database. It gets the package as it would be published, with its secrets, and changes nothing.`,
    instance: 'Instance',
    count: 'Count',
    counting: (instance: string) => `Counting on ${visibleText(instance)}`,
    unread: 'The records could not be counted.',
    none: (instance: string) =>
      `${visibleText(instance)} cannot count the records, or not within ten seconds. Run the queries there.`,
    otherVersion: (instance: string, there: string, here: string) =>
      `${visibleText(instance)} has the tables of version ${visibleText(there)}, not of ${visibleText(here)}. Compare with that version.`,
    counted: (instance: string) => `Counted on ${visibleText(instance)}.`,
    of: (count: number) => `Counted: ${formatCount(count)}`,
    uncounted: 'Not counted',
  },
  script: 'Script',
  copy: 'Copy',
  download: 'Download',
} as const
