import { type AggregateQuery, type Configuration, identityProvidersOf, takesApiScopes } from '../configuration.ts'
import { isEqual, isRecord } from '../equal.ts'
import { type Conflict, type Merge, mergeOrder, Merging, three, type Three } from './items.ts'
import { foldName } from '../paths.ts'

/**
 * Three-way merge of a configuration by field. Lists keep additions and removals of both sides; queries and properties are merged by name
 * and field.
 */
export function mergeConfigurations(
  base: Configuration,
  mine: Configuration,
  theirs: Configuration,
): Merge<Configuration> {
  const merging = new Merging()
  return merging.answer(mergeAll(merging, base, mine, theirs))
}

/** The same merge, resolving all conflicts in favour of theirs. */
export function mergeConfigurationsTakingTheirs(
  base: Configuration,
  mine: Configuration,
  theirs: Configuration,
): Configuration {
  return mergeAll(new Merging('theirs'), base, mine, theirs)
}

function mergeAll(merging: Merging, base: Configuration, mine: Configuration, theirs: Configuration): Configuration {
  const sides = { base, mine, theirs }
  const configuration = {
    ...mine,
    manifestName: merging.field('', 'manifestName', base.manifestName, mine.manifestName, theirs.manifestName),
    packageProperties: mergedProperties(
      merging,
      three(sides, side => side.packageProperties),
    ),
    configurationBuild: mergedBuild(
      merging,
      three(sides, side => side.configurationBuild),
    ),
  }
  return soundConfiguration(merging, configuration, sides)
}

function mergedProperties(merging: Merging, sides: Three<Configuration['packageProperties']>) {
  const at = 'packageProperties'
  const pools = three(sides, side => side.connectionPoolInfo)
  const properties = three(sides, side => side.customProperties)
  return {
    connectionPoolInfo: mergeRecord(merging, `${at}.connectionPoolInfo`, pools),
    customProperties: mergedRows(merging, `${at}.customProperties`, properties),
  }
}

type Property = Configuration['packageProperties']['customProperties'][number]

/** Properties by name. Unnamed rows are numbered; an empty row is not a change. */
function mergedRows(merging: Merging, path: string, sides: Three<Property[]>): Property[] {
  const keys = new Map<Property, string>()
  for (const rows of Object.values(sides)) {
    let nameless = 0
    for (const row of rows) keys.set(row, row.name === '' ? `\0${(nameless += 1)}` : row.name)
  }
  const merge = (_merging: Merging, _path: string, row: Merged<Property>) => mergeRow(merging, path, row)
  return mergeNamed(merging, path, sides, row => keys.get(row) ?? row.name, merge)
}

function mergeRow(merging: Merging, list: string, row: Merged<Property>): Property | undefined {
  const { mine, theirs } = row
  const base = row.base && isEmptyRow(row.base) ? undefined : row.base
  if (base === undefined && (!mine || isEmptyRow(mine) || !theirs || isEmptyRow(theirs)))
    return [mine, theirs].find(side => side && !isEmptyRow(side)) ?? changedEmptyRow(row)
  const path = `${list}.${(mine ?? theirs)?.name}`
  const merged = mergeOne(merging, path, { base, mine, theirs })
  if (!merged || !mine || !theirs || merged.secret || merged.value === '') return merged
  // A value typed as secret must not become visible because the other side changed the flag.
  const isOpen = [mine, theirs].some(({ secret, value }) => !secret && value === merged.value)
  if (isOpen) return merged
  if (!merging.conflicts.some(conflict => conflict.path === path && conflict.field === 'value'))
    merging.conflicts.push({ path, field: 'value', base: base?.value ?? null, mine: mine.value, theirs: theirs.value })
  return { ...merged, value: theirs.value, secret: theirs.secret }
}

function isEmptyRow({ name, value }: Property): boolean {
  return name === '' && value === ''
}

/** The row with a changed flag, if the rows of both sides are empty; none if either side removed it. */
function changedEmptyRow({ base, mine, theirs }: Merged<Property>): Property | undefined {
  if (base && (!mine || !theirs)) return undefined
  return mine && base && isEqual(mine, base) ? theirs : (mine ?? theirs)
}

function mergedBuild(merging: Merging, sides: Three<Configuration['configurationBuild']>) {
  const part = <K extends keyof Configuration['configurationBuild']>(key: K) => three(sides, side => side[key])
  const at = (key: string) => `configurationBuild.${key}`
  return {
    apiConfiguration: mergeRecord(merging, at('apiConfiguration'), part('apiConfiguration')),
    sqlConfiguration: mergeRecord(merging, at('sqlConfiguration'), part('sqlConfiguration')),
    sqlExport: mergeRecord(merging, at('sqlExport'), part('sqlExport')),
    serviceConfiguration: mergeRecord(merging, at('serviceConfiguration'), part('serviceConfiguration')),
    aggregateQueries: mergeNamed(merging, at('aggregateQueries'), part('aggregateQueries'), queryKey),
    apiScopeConfiguration: mergeRecord(merging, at('apiScopeConfiguration'), part('apiScopeConfiguration')),
  }
}

function queryKey({ entity, name }: AggregateQuery): string {
  return `${foldName(entity)}: ${foldName(name)}`
}

/** Field by field; lists of words as sets. */
function mergeRecord<T extends object>(merging: Merging, path: string, { base, mine, theirs }: Three<T>): T {
  const result = { ...mine }
  for (const key of keysOf(mine)) {
    const [b, m, t]: unknown[] = [base[key], mine[key], theirs[key]]
    if (isWords(b) && isWords(m) && isWords(t)) Object.assign(result, { [key]: mergeWords(b, m, t) })
    else result[key] = merging.field(path, key, base[key], mine[key], theirs[key])
  }
  return result
}

function keysOf<T extends object>(of: T): (keyof T & string)[] {
  return Object.keys(of).filter((key): key is keyof T & string => key in of)
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

function mergeWords(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  if (isEqual(mine, base)) return [...theirs]
  if (isEqual(theirs, base)) return [...mine]
  const [b, m, t] = [new Set(base.map(marked)), new Set(mine.map(marked)), new Set(theirs.map(marked))]
  const stays = new Set([...m.union(t)].filter(word => !b.has(word) || (m.has(word) && t.has(word))))
  const order = mergeOrder([...b], [...m], [...t], stays) ?? [...m.union(t)].filter(word => stays.has(word))
  return order.map(word => word.slice(1))
}

/** Marks each word, because the merge of orders needs keys that are not empty. */
function marked(word: string): string {
  return `=${word}`
}

/** Records identified by name; with repeated names the list is one field. */
function mergeNamed<T extends object>(
  merging: Merging,
  path: string,
  { base, mine, theirs }: Three<readonly T[]>,
  keyOf: (item: T) => string,
  merge: (merging: Merging, path: string, sides: Merged<T>) => T | undefined = mergeOne,
): T[] {
  const byKey = (list: readonly T[]) => new Map(list.map(item => [marked(keyOf(item)), item]))
  const [b, m, t] = [byKey(base), byKey(mine), byKey(theirs)]
  if (b.size < base.length || m.size < mine.length || t.size < theirs.length) {
    const at = path.lastIndexOf('.')
    return [...merging.field(path.slice(0, at), path.slice(at + 1), base, mine, theirs)]
  }
  const mergedByKey = new Map<string, T>()
  for (const key of new Set([...b.keys(), ...m.keys(), ...t.keys()])) {
    const item = merge(merging, `${path}.${key.slice(1)}`, { base: b.get(key), mine: m.get(key), theirs: t.get(key) })
    if (item) mergedByKey.set(key, item)
  }
  const order = mergeOrder([...b.keys()], [...m.keys()], [...t.keys()], new Set(mergedByKey.keys())) ?? [...m.keys()]
  // Items deleted by one side and changed by the other come last.
  return [...new Set([...order, ...mergedByKey.keys()])].flatMap(key => mergedByKey.get(key) ?? [])
}

type Merged<T> = Three<T | undefined>

function mergeOne<T extends object>(merging: Merging, path: string, { base, mine, theirs }: Merged<T>): T | undefined {
  const left = mine ?? theirs
  if (mine && theirs) return merging.fields(path, keysOf(mine), base, mine, theirs)
  if (!base || !left) return left
  if (isEqual(base, left)) return undefined
  merging.conflicts.push({ path, field: 'deleted', base, mine: mine ?? null, theirs: theirs ?? null })
  return theirs
}

const queriesAt = 'configurationBuild.aggregateQueries.'
const propertiesAt = 'packageProperties.customProperties.'

/** Whether a field holds a secret in one of the configurations; its values must not be shown. */
export function isSecretField(
  { path, field }: { path: string; field: string },
  configurations: readonly Configuration[],
): boolean {
  if (field === 'password' || field === 'customProperties') return true
  return configurations.some(({ packageProperties }) =>
    packageProperties.customProperties.some(({ secret, name }) => secret && path === `${propertiesAt}${name}`),
  )
}

// Two valid configurations may break a rule once merged. The fields involved are then a conflict, and all are taken from one side.

type Scopes = Configuration['configurationBuild']['apiScopeConfiguration']
const scopesAt = 'configurationBuild.apiScopeConfiguration'

function soundConfiguration(merging: Merging, merged: Configuration, sides: Three<Configuration>): Configuration {
  return withScopes(merging, withProvider(merging, merged, sides), sides)
}

type Place = { path: string; of: (configuration: Configuration) => object; field: string }
const api = ({ configurationBuild }: Configuration) => configurationBuild.apiConfiguration
const scopes = ({ configurationBuild }: Configuration) => configurationBuild.apiScopeConfiguration
const security: Place = { path: 'configurationBuild.apiConfiguration', of: api, field: 'security' }
const types: Place = { path: 'configurationBuild.apiConfiguration', of: api, field: 'type' }
const rbac: Place = { path: scopesAt, of: scopes, field: 'enableRbac' }
const provider: Place = { path: scopesAt, of: scopes, field: 'identityProvider' }

/** One side chose a security without the identity provider that the other side chose. Limits the conflict to as few fields as possible. */
function withProvider(merging: Merging, merged: Configuration, { base, mine, theirs }: Three<Configuration>) {
  if (hasProvider(merged) || !hasProvider(mine) || !hasProvider(theirs)) return merged
  const groups = [
    [security, provider],
    [security, rbac, provider],
    [types, security, rbac, provider],
  ]
  const isSound = (group: readonly Place[]) => [mine, theirs].every(side => hasProvider(taking(merged, side, group)))
  const group = groups.find(isSound) ?? []
  for (const { path, of, field } of group)
    addConflict(merging, { path, field, ...three({ base, mine, theirs }, side => valueOf(of(side), field)) })
  return taking(merged, theirs, group)
}

function hasProvider(configuration: Configuration): boolean {
  const { enableRbac, identityProvider } = scopes(configuration)
  if (!enableRbac || !takesApiScopes(configuration)) return true
  return identityProvidersOf(api(configuration).security).includes(identityProvider)
}

function taking(merged: Configuration, side: Configuration, group: readonly Place[]): Configuration {
  const next = structuredClone(merged)
  for (const { of, field } of group) Object.assign(of(next), { [field]: valueOf(of(side), field) })
  return next
}

function valueOf(record: object, field: string): unknown {
  return Reflect.get(record, field)
}

/** One side made a scope global that the other side removed. Only such scopes are taken from one side. */
function withScopes(merging: Merging, merged: Configuration, sides: Three<Configuration>): Configuration {
  const own = scopes(merged)
  const undefinedBefore = new Set([...undefinedIn(scopes(sides.mine)), ...undefinedIn(scopes(sides.theirs))])
  const conflicting = undefinedIn(own).filter(scope => !undefinedBefore.has(scope))
  if (conflicting.length === 0) return merged
  for (const field of ['scopeDefinitions', 'globalScopes'] as const)
    addConflict(merging, { path: scopesAt, field, ...three(sides, side => scopes(side)[field]) })
  const preferred = scopes(sides.theirs)
  const settled = (field: 'scopeDefinitions' | 'globalScopes') => {
    const others = own[field].filter(scope => !conflicting.includes(scope))
    return [...others, ...conflicting.filter(scope => preferred[field].includes(scope))]
  }
  const apiScopeConfiguration: Scopes = {
    ...own,
    scopeDefinitions: settled('scopeDefinitions'),
    globalScopes: settled('globalScopes'),
  }
  return { ...merged, configurationBuild: { ...merged.configurationBuild, apiScopeConfiguration } }
}

function undefinedIn({ scopeDefinitions, globalScopes }: Scopes): string[] {
  const defined = new Set(scopeDefinitions)
  return globalScopes.filter(scope => !defined.has(scope))
}

function addConflict(merging: Merging, conflict: Merging['conflicts'][number]): void {
  const { path, field, mine, theirs } = conflict
  if (isEqual(mine, theirs) || merging.conflicts.some(one => one.path === path && one.field === field)) return
  merging.conflicts.push(conflict)
}

/** The value of a configuration at the place of a conflict; undefined if the place is missing. */
export function conflictValue(
  { path, field }: Pick<Conflict, 'path' | 'field'>,
  configuration: Configuration,
): unknown {
  const place = placeAt(path, configuration)
  if (field === 'deleted') return place
  return isRecord(place) ? place[field] : undefined
}

/** Finds queries and properties by name, everything else by path. */
function placeAt(path: string, configuration: Configuration): unknown {
  const { configurationBuild, packageProperties } = configuration
  if (path.startsWith(queriesAt))
    return configurationBuild.aggregateQueries.find(query => queryKey(query) === path.slice(queriesAt.length))
  if (path.startsWith(propertiesAt))
    return packageProperties.customProperties.find(({ name }) => name === path.slice(propertiesAt.length))
  if (path === '') return configuration
  return path.split('.').reduce<unknown>((place, part) => (isRecord(place) ? place[part] : undefined), configuration)
}
