import * as z from 'zod'
import { databaseTypeOf, databaseTypes, databaseTypeTable } from './database-types.ts'
import { isRecord } from './equal.ts'
import { requestOf } from './request-schema.ts'

/** The number of the form in which a manifest's configuration travels; `content.ts` knows how it is stored. */
export const configurationFormat = 1

export const apiTypes = ['REST', 'SOAP', 'GRAPHQL'] as const
export type ApiType = (typeof apiTypes)[number]

export const securities = ['NONE', 'BASIC', 'OAUTH2'] as const
export type Security = (typeof securities)[number]

/** The product's own provider, and the user directory of the instance. */
export const identityProviders = ['CADMUS', 'MARTINI_USER_DIRECTORY'] as const
export type IdentityProvider = (typeof identityProviders)[number]

export const aggregateTypes = ['COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'GROUPBY'] as const
export type AggregateType = (typeof aggregateTypes)[number]

export const aggregateLabels = {
  COUNT: 'Count',
  SUM: 'Sum',
  MIN: 'Min',
  MAX: 'Max',
  AVG: 'Avg',
  GROUPBY: 'Group By',
} as const satisfies Record<AggregateType, string>

const connectionTypes = databaseTypes.map(type => databaseTypeTable[type].configuration)
/** What is shown in the place of a secret; sent, it means the one that is stored there, of a property that of its name. */
export const secretPlaceholder = '********'

/**
 * What stands for one stored secret in answers, and for no other: the mark of how it was closed. Sent back it means that one, wherever it
 * stands, and another one there is seen to be another.
 */
export function placeholderOf(mark: string): string {
  return `${secretPlaceholder} ${mark}`
}

/** Whether something would be taken for what stands for a secret, and so is none. */
export function isPlaceholder(value: string): boolean {
  return value === secretPlaceholder || value.startsWith(placeholderOf(''))
}

/** Whether something stands for a secret, as answers have it. */
export function standsForSecret(value: string): boolean {
  return value === secretPlaceholder || /^\*{8} [\w-]{22}$/.test(value)
}

const TEXT = 4000
const text = z.string().max(TEXT).default('')
const names = z.array(z.string().max(400)).max(10_000).default([])
const off = z.boolean().default(false)

const apiConfigurationSchema = z.object({
  type: z.array(z.enum(apiTypes)).max(3).default([]),
  security: z.enum(securities).default('NONE'),
  /** `Entity.method` or `Entity.key.method`. */
  excludeOperations: names,
})

const sqlConfigurationSchema = z.object({
  applyAutoIncrement: z.boolean().default(true),
  applyCoalesce: off,
  applyLimitOffset: off,
  applyJoin: off,
})

const serviceConfigurationSchema = z.object({
  applyMultiTenancy: off,
  applyCustomField: off,
  applySot: off,
  sotEntities: names,
})

export const aggregateColumnSchema = z.object({
  field: z.string().max(400),
  type: z.enum(aggregateTypes),
  alias: z.string().max(400),
})
export type AggregateColumn = z.infer<typeof aggregateColumnSchema>

export const aggregateQuerySchema = z.object({
  name: z.string().max(400),
  entity: z.string().max(400),
  columns: z.array(aggregateColumnSchema).max(1000),
})
export type AggregateQuery = z.infer<typeof aggregateQuerySchema>

const apiScopeConfigurationSchema = z.object({
  enableRbac: off,
  identityProvider: z.enum(identityProviders).default('CADMUS'),
  scopeDefinitions: names,
  globalScopes: names,
})

/** `secretText`: what passwords and the values of properties may be. */
function configurationWith(secretText: typeof text) {
  const connectionPoolInfo = z.object({
    type: z.enum(connectionTypes).default('MYSQL'),
    url: text,
    databaseName: text,
    username: text,
    /** Encrypted where it is stored, a placeholder where it is answered. */
    password: secretText,
  })
  const customProperty = z.object({ name: text, value: secretText, secret: off })
  return z.object({
    configurationFormat: z.literal(configurationFormat).default(configurationFormat),
    manifestName: text,
    packageProperties: z
      .object({
        connectionPoolInfo: connectionPoolInfo.prefault({}),
        customProperties: z.array(customProperty).max(1000).default([]),
      })
      .prefault({}),
    configurationBuild: z
      .object({
        apiConfiguration: apiConfigurationSchema.prefault({}),
        sqlConfiguration: sqlConfigurationSchema.prefault({}),
        serviceConfiguration: serviceConfigurationSchema.prefault({}),
        aggregateQueries: z.array(aggregateQuerySchema).max(1000).default([]),
        apiScopeConfiguration: apiScopeConfigurationSchema.prefault({}),
      })
      .prefault({}),
  })
}

/** How a manifest becomes an API, a schema or a package (document 2 §3). Every field has its default. */
export const configurationSchema = configurationWith(text)
export type Configuration = z.infer<typeof configurationSchema>

/** The configuration of a manifest that has none yet. */
export function newConfiguration(manifestName: string): Configuration {
  return configurationSchema.parse({ manifestName })
}

/** What a save says of a configuration: fields that are left out stay as they are, those of named items too. A list is the whole list. */
export type ConfigurationChange = z.input<typeof configurationSchema>

const changeSchema = requestOf(configurationSchema).pipe(z.custom<ConfigurationChange>())

/** A change as the wire has it, also within the answer of a GET: every spelling of a database type is read, an unknown property is refused. */
export const configurationChangeSchema = z.preprocess(json => withConnectionType(unwrapped(json)), changeSchema)

/** A whole configuration as the wire has it: the same, and what is missing gets its default. */
export const givenConfigurationSchema = z.preprocess(withConnectionType, changeSchema.pipe(configurationSchema))

/** The configuration that it is. Throws a ZodError that says where it is none. */
export function readConfiguration(json: unknown): Configuration {
  return configurationSchema.parse(withConnectionType(json))
}

/** `base` with the values of `whole` wherever the change says something; `whole` is the change with its defaults. */
export function changedConfiguration(
  base: Configuration,
  change: ConfigurationChange,
  whole: Configuration,
): Configuration {
  return storedConfigurationSchema.parse(taken(base, change, whole))
}

function taken(base: unknown, change: unknown, whole: unknown): unknown {
  if (Array.isArray(change) && Array.isArray(whole)) {
    const known = new Map(Array.isArray(base) ? base.map(item => [identityOf(item), item]) : [])
    return whole.map((item, index) => {
      const identity = identityOf(item)
      return identity === undefined ? item : taken(known.get(identity), change[index], item)
    })
  }
  if (!isRecord(base) || !isRecord(change) || !isRecord(whole)) return whole
  const given = Object.keys(change).filter(name => change[name] !== undefined)
  return { ...base, ...Object.fromEntries(given.map(name => [name, taken(base[name], change[name], whole[name])])) }
}

/** What an item of a list is known by, where it has a name: a property by that, a query by its entity too. */
function identityOf(item: unknown): string | undefined {
  if (!isRecord(item) || typeof item.name !== 'string' || item.name === '') return undefined
  return JSON.stringify([item.entity, item.name])
}

// What closes a secret makes it longer than any text that was entered.
const storedConfigurationSchema = z.preprocess(withConnectionType, configurationWith(z.string().default('')))

/** The same as the store has it. */
export function readStoredConfiguration(json: unknown): Configuration {
  return storedConfigurationSchema.parse(json)
}

/**
 * Where a configuration that was put together of two has more than one may have, so that it could not be read again: paths with dots, each
 * with what is said of it.
 */
export function configurationExcess(configuration: Configuration): { path: string; message: string }[] {
  const { error } = storedConfigurationSchema.safeParse(configuration)
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}

/** What the wizard makes a manifest for: itself, a package with the database schema only, or one with an API over the database. */
export const generateTypes = ['Manifest', 'Database', 'DatabaseApi'] as const
export type GenerateType = (typeof generateTypes)[number]

/** The configuration that what is generated needs: none of an API, or REST beside what is chosen already. */
export function generating(configuration: Configuration, generateType: GenerateType): Configuration {
  if (generateType === 'Manifest') return configuration
  const { configurationBuild: build } = configuration
  const { apiConfiguration } = build
  const wanted = new Set<ApiType>(generateType === 'Database' ? [] : ['REST', ...apiConfiguration.type])
  const type = apiTypes.filter(one => wanted.has(one))
  return { ...configuration, configurationBuild: { ...build, apiConfiguration: { ...apiConfiguration, type } } }
}

/**
 * The configuration as it may be answered, audited and versioned: no password, no secret property. `shown`: what stands for a stored
 * secret.
 */
export function withoutSecrets(
  configuration: Configuration,
  shown: (secret: string) => string = () => secretPlaceholder,
): Configuration {
  const { connectionPoolInfo, customProperties } = configuration.packageProperties
  const hidden = (value: string) => (value === '' ? '' : shown(value))
  return {
    ...configuration,
    packageProperties: {
      connectionPoolInfo: { ...connectionPoolInfo, password: hidden(connectionPoolInfo.password) },
      customProperties: customProperties.map(item => (item.secret ? { ...item, value: hidden(item.value) } : item)),
    },
  }
}

/** The API Scopes tab is for an API that asks who is calling. */
export function takesApiScopes({ configurationBuild: { apiConfiguration } }: Configuration): boolean {
  return apiConfiguration.type.length > 0 && apiConfiguration.security !== 'NONE'
}

/** With BASIC only the user directory is offered. */
export function identityProvidersOf(security: Security): readonly IdentityProvider[] {
  return security === 'BASIC' ? ['MARTINI_USER_DIRECTORY'] : identityProviders
}

/** The alias that a column starts with: the field with the type behind it, `priceSum`. */
export function defaultAlias(field: string, type: AggregateType): string {
  return `${field}${aggregateLabels[type].replace(' ', '')}`
}

/** The body that is the answer of a GET. */
function unwrapped(json: unknown): unknown {
  if (!isRecord(json) || !isRecord(json.manifestProperties)) return json
  return Object.keys(json).length === 1 ? json.manifestProperties : json
}

function withConnectionType(json: unknown): unknown {
  if (!isRecord(json) || !isRecord(json.packageProperties)) return json
  const { connectionPoolInfo } = json.packageProperties
  if (!isRecord(connectionPoolInfo) || typeof connectionPoolInfo.type !== 'string') return json
  const type = databaseTypeOf(connectionPoolInfo.type)
  if (!type) return json
  const read = { ...connectionPoolInfo, type: databaseTypeTable[type].configuration }
  return { ...json, packageProperties: { ...json.packageProperties, connectionPoolInfo: read } }
}
