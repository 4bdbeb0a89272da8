import { formatCount, visibleText } from '../display.ts'

const entities = (count: number) => (count === 1 ? '1 entity' : `${formatCount(count)} entities`)
const operations = (count: number) => (count === 1 ? '1 operation' : `${formatCount(count)} operations`)

const listed = (names: readonly string[]) => {
  const shown = names.map(name => visibleText(name))
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

const counted = (count: number, word: string) =>
  count <= 0 ? '' : `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`

/** Texts of the scopes of a manifest. */
export const scopeMatrixTexts = {
  tab: 'Scopes',
  label: 'Scopes of operations',
  columns: { name: 'Entity', manifest: 'Manifest' },
  anyone: 'anyone',
  signedIn: 'anyone signed in',
  globalOnly: 'global only',
  unserved: { noApi: 'not served', noKey: 'no key', excluded: 'excluded' },
  unservedHints: {
    noApi: 'No API type is selected.',
    noKey: 'The entity has no key, so this operation is not served.',
    excluded: 'The operation is excluded in the configuration.',
  },
  undefined: (scope: string) => `${visibleText(scope)} is not defined in the configuration.`,
  global: (scopes: readonly string[]) => `Also permitted by the global scopes ${scopes.join(', ')}.`,
  search: 'Search entities',
  show: 'Show',
  filters: { all: 'All entities', open: 'Without a required scope', scope: (scope: string) => `Requires ${scope}` },
  empty: 'No Entities to display',
  noMatch: 'No entity matches.',
  unread: 'The scopes could not be read.',
  showRequiring: (scope: string) => `Show What Requires ${visibleText(scope)}`,
  requiredBy: (scope: string, count: { operations: number; entities: number; isGlobal: boolean }) => {
    const own =
      count.operations === 0
        ? `No operation requires ${visibleText(scope)}`
        : `${visibleText(scope)} is required by ${operations(count.operations)} of ${entities(count.entities)}`
    return count.isGlobal ? `${own}; as a global scope it permits every operation.` : `${own}.`
  },
  sharedWith: (names: readonly string[]) =>
    `Also in ${listed(names)}, whose configuration has to define its scopes too.`,
  leftShared: (count: number) => `${entities(count)} shared with other manifests left out.`,
  changeShared: 'Change Them Too',
  tooMany: (count: number, max: number) =>
    `This concerns ${entities(count)}; at most ${formatCount(max)} can be changed in one step. Filter the list first.`,
  configurationLocked: (scope: string) => `${visibleText(scope)} is not defined, and the configuration is locked.`,
  failed: 'The scopes could not be changed.',
  steps: {
    assign: 'Assign scopes',
    paste: 'Paste scopes',
    clear: 'Clear scopes',
    rename: (from: string, to: string) => `Rename scope ${visibleText(from)} to ${visibleText(to)}`,
    remove: (scope: string) => `Remove scope ${visibleText(scope)}`,
    exclude: 'Exclude operations',
    serve: 'Serve operations',
  },
  done: (label: string, count: number, defined: readonly string[]) =>
    `${label}: ${entities(count)} changed.${defined.length === 0 ? '' : ` Defined ${defined.map(one => visibleText(one)).join(', ')}.`}`,
  excluded: (count: number) => `${operations(count)} excluded from the API.`,
  served: (count: number) => `${operations(count)} served by the API again.`,
  changedSince: (count: number) =>
    `${operations(count)} ${count === 1 ? 'was' : 'were'} changed since and ${count === 1 ? 'stays' : 'stay'} as ${count === 1 ? 'it is' : 'they are'}.`,
  /** Cells of a paste beyond the last row or column. */
  cut: ({ rows, columns }: { rows: number; columns: number }) =>
    `The clipboard is larger than the rest of the list: ${[counted(rows, 'row'), counted(columns, 'column')].filter(Boolean).join(' and ')} left out.`,
  commands: {
    undo: 'Undo',
    redo: 'Redo',
    save: 'Save',
    clear: 'Clear Scopes',
    exclude: 'Exclude from the API',
    serve: 'Serve by the API',
    rename: 'Rename Scope Everywhere',
    remove: 'Remove Scope Everywhere',
    token: 'What may this token call?',
    configure: 'Configure API Scopes',
  },
  reasons: {
    nothingToUndo: 'There is nothing to undo.',
    nothingToRedo: 'There is nothing to redo.',
    chooseScope: 'Choose a scope in Show, or click one in a cell.',
  },
  mayCall: 'may call',
  mayNotCall: 'may not call',
} as const
