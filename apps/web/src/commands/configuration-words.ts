import type { Configuration } from '@cadmus/model/configuration'
import { databaseTypes, databaseTypeTable } from '@cadmus/model/database-types'
import { changedFields } from '@cadmus/model/edits/change-configuration'
import { exclusionLabel, parseExclusion } from '@cadmus/model/operations'
import { visibleText } from '@cadmus/model/visible-text'
import type { ConfigurationTab } from './configuration-tabs.ts'
import { hiddenValue } from './hidden-value.ts'

/** What the fields of a configuration are called on its screen, by the last two keys of their paths. */
const labels: Readonly<Record<string, string>> = {
  'apiConfiguration.type': 'API Types',
  'apiConfiguration.security': 'Security',
  'apiConfiguration.excludeOperations': 'Excluded API Operations',
  'connectionPoolInfo.type': 'Connection Type',
  'connectionPoolInfo.url': 'Connection Url',
  'connectionPoolInfo.username': 'Connection Username',
  'connectionPoolInfo.password': 'Connection Password',
  'connectionPoolInfo.databaseName': 'Database Name',
  'sqlConfiguration.applyAutoIncrement': 'Apply Auto-Increment',
  'sqlConfiguration.applyCoalesce': 'Apply Coalesce',
  'sqlConfiguration.applyLimitOffset': 'Apply Limit & Offset',
  'sqlConfiguration.applyJoin': 'Apply Relationship Join',
  'serviceConfiguration.applyMultiTenancy': 'Apply Multi-Tenancy',
  'serviceConfiguration.applyCustomField': 'Apply Custom Fields',
  'serviceConfiguration.applySot': 'Apply Source of Truth',
  'serviceConfiguration.sotEntities': 'Source of Truth Entities',
  'packageProperties.customProperties': 'Properties',
  'configurationBuild.aggregateQueries': 'Aggregate Queries',
  'apiScopeConfiguration.enableRbac': 'Enable RBAC',
  'apiScopeConfiguration.identityProvider': 'Identity Provider',
  'apiScopeConfiguration.scopeDefinitions': 'Scope Definitions',
  'apiScopeConfiguration.globalScopes': 'Global Scopes',
}

export const apiLabels = { REST: 'REST', SOAP: 'SOAP', GRAPHQL: 'GraphQL' } as const
export const securityLabels = {
  NONE: 'None',
  BASIC: 'Basic Authentication',
  OAUTH2: 'OAuth Authentication',
} as const
export const providerLabels = { CADMUS: 'Cadmus', MARTINI_USER_DIRECTORY: 'Martini User Directory' } as const

/** How two configurations differ: in how many fields, and what one step from the one to the other is called. */
export function compareConfigurations(before: Configuration, after: Configuration) {
  const changes = changedFields(before, after)
  return {
    count: changes.length,
    name: () => {
      const [first, ...more] = changes.map(({ path, value }) => described(path, valueAt(before, path), value))
      return more.length === 0 ? (first ?? '') : `${first ?? ''} and ${more.length} more`
    },
  }
}

/** 'Added read to Scope Definitions', 'Changed Connection Url'. */
function described(path: readonly string[], before: unknown, after: unknown): string {
  const label = labelOf(path)
  if (typeof after === 'boolean') return `${after ? 'Switched on' : 'Switched off'} ${label}`
  if (!Array.isArray(before) || !Array.isArray(after)) return `Changed ${label}`
  const [was, is] = [before.map(itemName), after.map(itemName)]
  const added = is.filter(name => !was.includes(name))
  const removed = was.filter(name => !is.includes(name))
  if (added.length > 0 && removed.length === 0) return `Added ${listed(added)} to ${label}`
  if (removed.length > 0 && added.length === 0) return `Removed ${listed(removed)} from ${label}`
  return `Changed ${label}`
}

function listed([first = '', ...more]: readonly string[]): string {
  const name = first === '' ? 'a row' : first
  return more.length === 0 ? name : `${name} and ${more.length} more`
}

function itemName(item: unknown): string {
  if (typeof item === 'object' && item !== null && 'name' in item) return String(item.name)
  const operation = parseExclusion(String(item))
  return operation ? exclusionLabel(operation) : String(item)
}

function valueAt(configuration: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    configuration,
  )
}

function labelOf(path: readonly string[]): string {
  return labels[path.slice(-2).join('.')] ?? path.at(-1) ?? ''
}

/** Which part of the screen the path of a problem means, and what is called so there. */
export function placeOf(path: string, { configurationBuild }: Configuration): { tab: ConfigurationTab; label: string } {
  const [, part = '', item = '', field = ''] = path.split('.')
  const tab = tabs[part] ?? 'api'
  if (part === 'customProperties' && item !== '')
    return { tab, label: `${field === 'value' ? 'Value' : 'Name'} of property ${Number(item) + 1}` }
  const query = part === 'aggregateQueries' ? configurationBuild.aggregateQueries[Number(item)] : undefined
  return { tab, label: query ? visibleText(query.name) : (labels[`${part}.${item}`] ?? '') }
}

const tabs: Readonly<Record<string, ConfigurationTab>> = {
  apiConfiguration: 'api',
  sqlConfiguration: 'sql',
  connectionPoolInfo: 'sql',
  serviceConfiguration: 'service',
  customProperties: 'properties',
  aggregateQueries: 'queries',
  apiScopeConfiguration: 'scopes',
}

type Place = { path: string; field: string; mine?: unknown; theirs?: unknown }

/** What two people changed, in the words of the page. */
export function conflictWords({ path, field }: Place): string {
  const label = labels[`${path.split('.').at(-1) ?? ''}.${field}`]
  if (label !== undefined) return label
  const [list, item = ''] = [labels[path.split('.').slice(0, 2).join('.')] ?? path, path.split('.').slice(2).join('.')]
  return `${list}, ${visibleText(item)}: ${field === 'deleted' ? 'deleted or changed' : field}`
}

/** One side's value of it. */
export function conflictValue({ path, field, mine, theirs }: Place, value: unknown): string {
  if (value === hiddenValue) return 'secret, changed'
  // Of a secret the server tells neither; the page finds out what is there.
  if (field === 'deleted' && mine === null && theirs === null) return 'not shown'
  if (field === 'deleted') return value === null || value === undefined ? 'deleted' : 'changed'
  // A secret is shown to nobody.
  if (value === null || value === undefined) return path.startsWith('packageProperties') ? 'not shown' : 'nothing'
  if (value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const said = (one: unknown) => chosen[field]?.[String(one)] ?? wordsOf(one)
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(said).join(', ')
  return said(value)
}

/** What is chosen of a list is called as it is there. */
const chosen: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: {
    ...apiLabels,
    ...Object.fromEntries(
      databaseTypes.map(one => [databaseTypeTable[one].configuration, databaseTypeTable[one].label]),
    ),
  },
  security: securityLabels,
  identityProvider: providerLabels,
}

function wordsOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'alias' in value) return visibleText(String(value.alias))
  return visibleText(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
