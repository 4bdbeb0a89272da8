import { formatCount, visibleText } from '../display.ts'

function counted(count: number, one: string, several: string): string {
  return count === 1 ? `one ${one}` : `${formatCount(count)} ${several}`
}

/** What depends on an entity, and what unsaved changes mean for it. */
export const impactTexts = {
  property: 'Dependents',
  title: (name: string) => `What Depends on ${name}`,
  entity: { title: 'Save Entity', confirm: 'Save' },
  configuration: { title: 'Save Configuration', confirm: 'Save' },
  restored: { title: 'Restore', confirm: 'Restore' },
  saveText: 'These changes affect what others depend on:',
  of: (entity: string, attribute: string) => `${entity}.${attribute}`,
  /** What has an attribute in a condition or a list of members. */
  constraints: {
    check: (name: string, attribute: string) => `check ${visibleText(name)} with ${visibleText(attribute)}`,
    group: (name: string, attribute: string) => `group ${visibleText(name)} with ${visibleText(attribute)}`,
  },
  nothing: 'Nothing refers to it.',
  noConsequences: 'The unsaved changes affect neither tables nor an API.',
  noChanges:
    'There are no unsaved changes. While there are some, this also says what they mean for tables and callers.',
  failed: 'What depends on it could not be worked out',
  /** Groups of lines, each of a manifest. */
  groups: {
    breaks: { heading: 'Breaks callers', note: 'Calls that no longer work once it is published.' },
    losesData: {
      heading: 'Deletes records or values',
      note: 'Stored data that the next version of a package removes.',
    },
    refusals: {
      heading: 'Existing records may prevent this',
      note: 'The next version of a package starts only if they comply.',
    },
    locks: { heading: 'Alters tables', note: 'Tables that are rewritten and locked until then.' },
    scopes: { heading: 'Changes scopes', note: 'Operations that require other scopes than before.' },
    problems: { heading: 'Prevents a build', note: 'Errors that these changes cause.' },
  },
  published: (manifest: string, packages: readonly string[]) =>
    `${manifest}, published as ${packages.slice(0, 3).join(', ')}${packages.length > 3 ? ' and others' : ''}`,
  scope: (operation: string, entity: string, scopes: readonly string[] | null) =>
    `${operation} of ${entity}: ${scopes === null ? 'not offered' : scopes.length === 0 ? 'no scope' : scopes.join(' or ')}`,
  moreManifests: (count: number) => `${counted(count, 'more manifest is', 'more manifests are')} not covered.`,
  moreEntities: (count: number) =>
    `${counted(count, 'more dependent entity is', 'more dependent entities are')} not covered.`,
  moreReferences: (count: number) => `${counted(count, 'more place refers', 'more places refer')} to it.`,
  /** Parts of the note beside unsaved changes. */
  note: {
    breaks: (manifests: readonly string[], count: number) =>
      `Changes the API of ${manifests.length > 1 ? counted(manifests.length, 'manifest', 'manifests') : manifests.join('')} (${counted(count, 'break', 'breaks')})`,
    losesData: 'deletes stored data',
    refusals: 'needs a look at existing records',
    locks: 'alters tables',
    used: (places: number, manifests: number) =>
      `used by ${counted(places, 'place', 'places')} in ${counted(manifests, 'manifest', 'manifests')}`,
    problems: 'prevents a build',
  },
} as const
