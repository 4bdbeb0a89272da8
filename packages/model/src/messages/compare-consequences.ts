import type { Comparison } from '../contract/comparison.ts'
import { formatCount, visibleText } from '../display.ts'

type ComparedSide = Comparison['before']

/** What clients of an API can use only after a change. */
export const apiAdditionTexts = {
  protocol: (protocol: string) => `${protocol === 'GRAPHQL' ? 'GraphQL' : protocol} is now served.`,
  anyone: 'Calls no longer require authentication: anyone can make them.',
  options: {
    limitOffset: 'Lists now accept limit and offset.',
    join: 'Related records are now included.',
    customFields: 'Records now have custom fields.',
  },
  added: (what: string) => `${what} is new.`,
  operation: (entity: string, operation: string) => `${entity} now has the operation ${operation}.`,
  history: (entity: string) => `The changes of ${entity} are now recorded.`,
} as const

/** What a comparison means for tables, API and scopes. */
export const consequenceTexts = {
  ofSide: {
    before: (side: ComparedSide, problem: string) => `Before (${sideName(side)}): ${problem}`,
    after: (side: ComparedSide, problem: string) => `After (${sideName(side)}): ${problem}`,
  },
  statementsTooLong: (count: number, limit: number) =>
    `The ${formatCount(count)} statements are longer than ${formatCount(limit)} characters together and are not shown.`,
  scopesLeft: (count: number) => `${formatCount(count)} more operations require other scopes than before.`,
  loading: 'Working out the consequences',
  problems: 'Not everything could be worked out:',
  unknown: 'No difference was found in what could be worked out.',
  database: 'Database',
  none: 'Tables, API and scopes are the same on both sides.',
  api: {
    heading: 'API',
    none: 'No call of the configured API changes.',
    notConfigured: 'No API is configured.',
    breaks: 'Breaks callers',
    additions: 'New for callers',
  },
  scopes: {
    heading: 'Scopes',
    none: 'Operations require the same scopes.',
    columns: { entity: 'Entity', operations: 'Operations', before: 'Before', after: 'After', effect: 'Effect' },
    operations: { selectAll: 'Select All', select: 'Select', insert: 'Insert', update: 'Update', delete: 'Delete' },
    /** `everyone`: no scope is required any longer. */
    effects: { everyone: 'Opens to everyone', opens: 'Opens to more callers', changed: 'Changes' },
    missing: 'not offered',
    free: 'no scope',
    anyone: 'no authentication',
    freeNow: (count: number) =>
      `${count === 1 ? 'One operation' : `${formatCount(count)} operations`} can be called without a scope from now on.`,
  },
  schema: {
    heading: 'SQL',
    none: 'The tables are the same.',
    steps: 'Changes of the tables',
    refusals: 'Existing records may prevent this',
    statements: 'Statements',
    noStatements: 'There are no statements.',
  },
  copy: 'Copy',
  download: 'Download',
} as const

/** The comparison as a text for a review. */
export const comparisonTexts = {
  label: 'Text for a review',
  withoutConsequences: 'This text lacks the consequences, which could not be worked out.',
  title: (before: string, after: string) => `Changes from ${before} to ${after}`,
  counts: (parts: readonly string[], same: number) => {
    const differing = parts.length === 0 ? 'No entity differs' : `Entities: ${parts.join(', ')}`
    return `${differing}; ${formatCount(same)} the same.`
  },
  more: (count: number) => `${formatCount(count)} more ${count === 1 ? 'entity differs' : 'entities differ'}.`,
  manifest: 'Manifest',
  entitiesOf: (manifest: string) => `Entities of ${manifest}`,
  outside: 'Entities outside the manifest',
  moved: (before: string, after: string) => `Moved from manifest ${before} to ${after}`,
  changed: (field: string, values: string) => `Changed ${field}${values}`,
  nowhere: 'none',
  unresolved: 'Not worked out',
  requires: (operation: string, entity: string, before: string, after: string) =>
    `${operation} of ${entity}: ${after}; before: ${before}`,
} as const

/** `Clinic 1.0.0`, of a build `Clinic 1.0.0, build 2.0.0`. */
export function sideName({ name, version, packageVersion }: ComparedSide): string {
  const build = packageVersion === null ? '' : `, build ${packageVersion}`
  return visibleText(`${name} ${version}${build}`)
}
