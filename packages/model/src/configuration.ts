import * as z from 'zod'
import { isRecord } from './equal.ts'
import { requestOf } from './request-schema.ts'
import { packageDatabaseOf, packageDatabases, packageDatabaseTable } from './database-types.ts'
import {
  lengthRule,
  nameRule,
  plainNamePattern,
  type SqlExportName,
  sqlExportOptions,
  valueFault,
} from './sql-export.ts'
import { ofRecord, type StoredForm } from './stored/stored-form.ts'

/** Format version of a configuration on the wire and in other forms. */
export const configurationFormat = 3

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

const connectionTypes = packageDatabases.map(type => packageDatabaseTable[type].configuration)
/**
 * Replaces a secret in answers. When sent back, it refers to the stored secret in the same place or, for a property, of
 * the same name.
 */
export const secretPlaceholder = '********'

/**
 * Placeholder of a particular stored secret, identified by the mark of its encryption. Sent back, it refers to that
 * secret in any place; if another secret has been stored since, the difference is detected.
 */
export function placeholderOf(mark: string): string {
  return `${secretPlaceholder} ${mark}`
}

/** Whether a value would be mistaken for the placeholder of a secret; such values are not accepted. */
export function isPlaceholder(value: string): boolean {
  return value === secretPlaceholder || value.startsWith(placeholderOf(''))
}

/** Whether a value is the placeholder of a secret in an answer. */
export function standsForSecret(value: string): boolean {
  return value === secretPlaceholder || /^\*{8} [\w-]{22}$/.test(value)
}

const TEXT = 4000
const text = z.string().max(TEXT).default('')
const names = z.array(z.string().max(400)).max(10_000).default([])
const off = z.boolean().default(false)

export const apiConfigurationSchema = z.object({
  type: z.array(z.enum(apiTypes)).max(3).default([]),
  security: z.enum(securities).default('NONE'),
  /** `Entity.method` or `Entity.key.method`. */
  excludeOperations: names,
})

export const sqlConfigurationSchema = z.object({
  applyAutoIncrement: z.boolean().default(true),
  applyCoalesce: off,
  applyLimitOffset: off,
  applyJoin: off,
})

function oneOf<const V extends readonly [string, ...string[]]>({ values }: { values: V }) {
  return z.enum(values).default(values[0])
}

function plainName(option: { most: number }) {
  const rule = nameRule(option)
  return z.string().max(option.most, rule).regex(plainNamePattern, rule).default('')
}

/** The pattern is for the documentation of calls. */
function length(name: 'text') {
  const option = sqlExportOptions[name]
  return z
    .string()
    .regex(new RegExp(`^(?:${option.none}|[1-9][0-9]{0,7})$`), lengthRule(option))
    .refine(value => valueFault(name, value) === undefined, lengthRule(option))
    .default(option.none)
}

const options = sqlExportOptions
/** Options of exported SQL scripts. Packages ignore them. */
export const sqlExportSchema = z.object({
  naming: oneOf(options.naming),
  schema: plainName(options.schema),
  tablePrefix: plainName(options.tablePrefix),
  text: length('text'),
  choices: oneOf(options.choices),
  generatedKeys: oneOf(options.generatedKeys),
  uuidKeys: oneOf(options.uuidKeys),
  instants: oneOf(options.instants),
  guards: oneOf(options.guards),
  collation: oneOf(options.collation),
  comments: oneOf(options.comments),
  indexes: oneOf(options.indexes),
  foreignKeys: oneOf(options.foreignKeys),
  exists: oneOf(options.exists),
  files: oneOf(options.files),
  mysql: oneOf(options.mysql),
} satisfies Record<SqlExportName, z.ZodType>)

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

export const apiScopeConfigurationSchema = z.object({
  enableRbac: off,
  identityProvider: z.enum(identityProviders).default('CADMUS'),
  scopeDefinitions: names,
  globalScopes: names,
})

/** `secretText`: schema of passwords and property values. */
function configurationWith(secretText: typeof text) {
  const connectionPoolInfo = z.object({
    type: z.enum(connectionTypes).default('MYSQL'),
    url: text,
    databaseName: text,
    username: text,
    /** Stored encrypted; answered as a placeholder. */
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
        sqlExport: sqlExportSchema.prefault({}),
        serviceConfiguration: serviceConfigurationSchema.prefault({}),
        aggregateQueries: z.array(aggregateQuerySchema).max(1000).default([]),
        apiScopeConfiguration: apiScopeConfigurationSchema.prefault({}),
      })
      .prefault({}),
  })
}

/** Settings for generating an API, a schema or a package from a manifest (document 2 §3). Every field has a default. */
export const configurationSchema = configurationWith(text)
export type Configuration = z.infer<typeof configurationSchema>

export function newConfiguration(manifestName: string): Configuration {
  return configurationSchema.parse({ manifestName })
}

/**
 * A configuration in a save request: omitted fields are unchanged, including fields of named items. A list is complete.
 */
export type ConfigurationChange = z.input<typeof configurationSchema>

const changeSchema = requestOf(configurationSchema).pipe(z.custom<ConfigurationChange>())

/**
 * Wire format of a change, optionally wrapped as in the answer of a GET. Accepts every spelling of a database type and rejects unknown
 * properties.
 */
export const configurationChangeSchema = z.preprocess(json => current(unwrapped(json)), changeSchema)

/** Wire format of a complete configuration; missing fields get their defaults. */
export const completeConfigurationSchema = z.preprocess(current, changeSchema.pipe(configurationSchema))

/** Parses a configuration. Throws a ZodError with the paths of invalid values. */
export function readConfiguration(json: unknown): Configuration {
  return configurationSchema.parse(current(json))
}

/** `base` with the values of `whole` for all fields of the change; `whole` is the change with its defaults. */
export function changedConfiguration(
  base: Configuration,
  change: ConfigurationChange,
  whole: Configuration,
): Configuration {
  return storedConfigurationSchema.parse(overlaid(base, change, whole))
}

function overlaid(base: unknown, change: unknown, whole: unknown): unknown {
  if (Array.isArray(change) && Array.isArray(whole)) {
    const existing = new Map(Array.isArray(base) ? base.map(item => [identityOf(item), item]) : [])
    return whole.map((item, index) => {
      const identity = identityOf(item)
      return identity === undefined ? item : overlaid(existing.get(identity), change[index], item)
    })
  }
  if (!isRecord(base) || !isRecord(change) || !isRecord(whole)) return whole
  const changedNames = Object.keys(change).filter(name => change[name] !== undefined)
  return {
    ...base,
    ...Object.fromEntries(changedNames.map(name => [name, overlaid(base[name], change[name], whole[name])])),
  }
}

/** Identity of a named list item: the name, for queries with the entity. */
function identityOf(item: unknown): string | undefined {
  if (!isRecord(item) || typeof item.name !== 'string' || item.name === '') return undefined
  return JSON.stringify([item.entity, item.name])
}

// Encrypted secrets are longer than any entered text.
const storedConfigurationSchema = z.preprocess(current, configurationWith(z.string().default('')))

/** A configuration with encrypted or without secrets, in other forms. */
export const configurationForm: StoredForm<Configuration> = {
  name: 'configuration',
  format: configurationFormat,
  key: 'configurationFormat',
  schema: storedConfigurationSchema,
  unnumbered: 1,
  // Formats 2 and 3 added options of scripts, which have defaults.
  upgrades: { 1: ofRecord(stored => stored), 2: ofRecord(stored => stored) },
}

/** A configuration in a package, without options that only scripts have: releases of format 1 read it, too. */
export function packagedConfiguration(configuration: Configuration): object {
  const { sqlExport: _sqlExport, ...configurationBuild } = configuration.configurationBuild
  return { ...configuration, configurationFormat: 1, configurationBuild }
}

/** Lists of a merged configuration above their limits, which could not be parsed again: dotted paths with messages. */
export function configurationExcess(configuration: Configuration): { path: string; message: string }[] {
  const { error } = storedConfigurationSchema.safeParse(configuration)
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}

/** Results of the creation wizard: the manifest alone, a package with the database schema only, or one with an API. */
export const generateTypes = ['Manifest', 'Database', 'DatabaseApi'] as const
export type GenerateType = (typeof generateTypes)[number]

/** Adjusts the API types for the result: none, or REST in addition to the chosen ones. */
export function adjustApiTypes(configuration: Configuration, generateType: GenerateType): Configuration {
  if (generateType === 'Manifest') return configuration
  const { configurationBuild: build } = configuration
  const { apiConfiguration } = build
  const included = new Set<ApiType>(generateType === 'Database' ? [] : ['REST', ...apiConfiguration.type])
  const type = apiTypes.filter(one => included.has(one))
  return { ...configuration, configurationBuild: { ...build, apiConfiguration: { ...apiConfiguration, type } } }
}

/**
 * The configuration without passwords and secret properties, for answers, audit entries and versions. `shown`: placeholder of a stored
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

/** API scopes apply to an API with authentication. */
export function takesApiScopes({ configurationBuild: { apiConfiguration } }: Configuration): boolean {
  return apiConfiguration.type.length > 0 && apiConfiguration.security !== 'NONE'
}

/** With BASIC only the user directory is offered. */
export function identityProvidersOf(security: Security): readonly IdentityProvider[] {
  return security === 'BASIC' ? ['MARTINI_USER_DIRECTORY'] : identityProviders
}

/** Default alias of a column: field and type, such as `priceSum`. */
export function defaultAlias(field: string, type: AggregateType): string {
  return `${field}${aggregateLabels[type].replace(' ', '')}`
}

/** Unwraps a body in the form of a GET answer. */
function unwrapped(json: unknown): unknown {
  if (!isRecord(json) || !isRecord(json.manifestProperties)) return json
  return Object.keys(json).length === 1 ? json.manifestProperties : json
}

/** Adapts what earlier releases and other spellings wrote. */
function current(json: unknown): unknown {
  const read = withConnectionType(json)
  return isRecord(read) && read.configurationFormat === 1 ? { ...read, configurationFormat } : read
}

function withConnectionType(json: unknown): unknown {
  if (!isRecord(json) || !isRecord(json.packageProperties)) return json
  const { connectionPoolInfo } = json.packageProperties
  if (!isRecord(connectionPoolInfo) || typeof connectionPoolInfo.type !== 'string') return json
  const type = packageDatabaseOf(connectionPoolInfo.type)
  if (!type) return json
  const read = { ...connectionPoolInfo, type: packageDatabaseTable[type].configuration }
  return { ...json, packageProperties: { ...json.packageProperties, connectionPoolInfo: read } }
}
