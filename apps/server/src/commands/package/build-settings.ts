import type { Delivery } from '@cadmus/formats/package/delivery'
import {
  adjustApiTypes,
  type AggregateQuery,
  type Configuration,
  newConfiguration,
  withoutSecrets,
} from '@cadmus/model/configuration'
import { readConfigurationContent } from '@cadmus/model/content'
import { parseLicence } from '@cadmus/model/licence'
import { isEqual } from '@cadmus/model/equal'
import { type BuildChoice, buildChoices, type PublishKind } from '@cadmus/model/package'
import { isPackageDatabase, packageDatabaseTable } from '@cadmus/model/database-types'
import { foldName } from '@cadmus/model/paths'
import { licensedDatabase } from '@cadmus/model/rules/organisation'
import { forbidden, invalid } from '../../errors/api-error.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { configurationOf, withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { snapshotByHash } from '../../store/manifest-snapshot.ts'
import { manifestById, type ManifestRow, type ManifestVersionRow } from '../../store/manifest.ts'
import type { PackageVersionRow } from '../../store/package.ts'
import { manifestsBelow } from '../../store/resolved-rows.ts'
import type { BuildSettings } from './package-zip.ts'
import { noSecrets, storedSecrets, withStoredSecrets } from '../manifest/configuration-secrets.ts'
import { checkConfiguration, checkServiceOptions } from '../manifest/save-configuration.ts'

/** The source of a build: the current manifest, or a frozen version. */
export type BuildSource = { organisationId: number; manifest: ManifestRow; frozen: ManifestVersionRow | null }

/** Configurations that a build uses instead of the stored ones, and whether they may change service options. */
type Overrides = { stored: readonly Stored[]; sent: readonly Configuration[]; serviceOptions: boolean }

/** A manifest of the resolved model with its stored configuration: the current one has encrypted secrets, a version's has none. */
type Stored = { id: number; name: string; configuration: Configuration }

/** Stored configurations of the manifest and its sub-manifests, its own first; unsaved ones are defaults with a licensed database. */
export async function storedSettings(db: Db, source: BuildSource, licence: string): Promise<Stored[]> {
  const { organisationId, manifest, frozen } = source
  if (frozen !== null) return frozenSettings(db, organisationId, frozen, licence)
  const settings: Stored[] = []
  for (const row of await manifestsBelow(db, organisationId, manifest)) {
    const isSaved = row.configuration_hash !== null
    const configuration = isSaved ? (await configurationOf(db, row)).configuration : unsaved(row.name, licence)
    settings.push({ id: row.id, name: row.name, configuration })
  }
  return settings
}

/** Stored settings for answers; a version's secrets are placeholders already. */
export async function shownSettings(db: Db, source: BuildSource, licence: string): Promise<Configuration[]> {
  const settings = await storedSettings(db, source, licence)
  return settings.map(({ configuration }) =>
    source.frozen === null ? withMarkedSecrets(configuration) : configuration,
  )
}

async function frozenSettings(
  db: Db,
  organisationId: number,
  frozen: ManifestVersionRow,
  licence: string,
): Promise<Stored[]> {
  const { manifests } = await snapshotByHash(db, organisationId, frozen.content_hash)
  const settings: Stored[] = []
  for (const { id, name, configuration: hash } of manifests) {
    const body = hash === null ? undefined : await contentByHash(db, organisationId, hash)
    const read = body === undefined ? unsaved(name, licence) : readConfigurationContent(JSON.parse(body)).configuration
    settings.push({ id, name, configuration: { ...read, manifestName: name } })
  }
  return settings
}

function unsaved(name: string, licence: string): Configuration {
  const configuration = newConfiguration(name)
  const { packageProperties } = configuration
  const { connectionPoolInfo } = packageProperties
  const licensed = parseLicence(licence).databaseTypes.filter(isPackageDatabase)
  const [first] = licensed
  const isLicensed = licensed.some(type => packageDatabaseTable[type].configuration === connectionPoolInfo.type)
  if (first === undefined || isLicensed) return configuration
  const pool = { ...connectionPoolInfo, type: packageDatabaseTable[first].configuration }
  return { ...configuration, packageProperties: { ...packageProperties, connectionPoolInfo: pool } }
}

/** 403 for a database outside the licence. */
function checkDatabase({ packageProperties }: Configuration, licence: string): void {
  const judged = licensedDatabase(packageProperties.connectionPoolInfo.type, parseLicence(licence))
  if ('refusal' in judged) throw forbidden(judged.refusal, 'licence')
}

/** Which parts of a configuration differ from the stored one. */
export function choicesIn(used: Configuration, stored: Configuration): BuildChoice[] {
  const [own, other] = [used.configurationBuild, stored.configurationBuild]
  const differs: Record<BuildChoice, boolean> = {
    apis: !isEqual(own.apiConfiguration.type.toSorted(), other.apiConfiguration.type.toSorted()),
    connection: !isEqual(used.packageProperties.connectionPoolInfo, stored.packageProperties.connectionPoolInfo),
    sql: !isEqual(own.sqlConfiguration, other.sqlConfiguration),
  }
  return buildChoices.filter(choice => differs[choice])
}

/** The stored configuration with the choices of a former build and their encrypted secrets. */
export function withChoicesOf(
  stored: Configuration,
  { configurations: [former], choices }: BuildSettings,
): Configuration {
  if (former === undefined) return stored
  const { packageProperties, configurationBuild } = stored
  const { apiConfiguration, sqlConfiguration } = configurationBuild
  const { apiConfiguration: formerApi, sqlConfiguration: formerSql } = former.configurationBuild
  const isChosen = (choice: BuildChoice) => choices.includes(choice)
  const type = isChosen('apis') ? formerApi.type : apiConfiguration.type
  return {
    ...stored,
    packageProperties: isChosen('connection')
      ? { ...packageProperties, connectionPoolInfo: former.packageProperties.connectionPoolInfo }
      : packageProperties,
    configurationBuild: {
      ...configurationBuild,
      apiConfiguration: { ...apiConfiguration, type },
      sqlConfiguration: isChosen('sql') ? formerSql : sqlConfiguration,
    },
  }
}

/**
 * Settings of a build with encrypted secrets: those sent for a manifest, matched by name, otherwise the stored ones. 400 for invalid or
 * unlicensed settings, and for manifests that are not part of the build.
 */
export async function buildSettings(
  db: Db,
  source: BuildSource,
  { stored, sent, serviceOptions }: Overrides,
  licence: string,
): Promise<Configuration[]> {
  const byName = settingsByName(stored, sent)
  const settings: Configuration[] = []
  for (const { id, name, configuration } of stored) {
    const own = byName.get(foldName(name))
    if (own !== undefined && !serviceOptions) checkServiceOptions({ before: configuration, after: own })
    const merged = own === undefined ? configuration : { ...own, manifestName: name }
    const secrets = own ?? (source.frozen === null ? undefined : configuration)
    settings.push(secrets === undefined ? merged : await closed(db, source, { id, settings: merged, configuration }))
  }
  const used = settings.filter((_, index) => index === 0 || byName.has(foldName(stored[index]?.name ?? '')))
  for (const configuration of used) {
    checkConfiguration(configuration, licence)
    checkDatabase(configuration, licence)
  }
  return settings
}

/** Placeholders refer to the manifest's current secrets, because versions contain none. */
async function closed(
  db: Db,
  { organisationId, frozen }: BuildSource,
  { id, settings, configuration }: { id: number; settings: Configuration; configuration: Configuration },
): Promise<Configuration> {
  const row = await manifestById(db, organisationId, id)
  if (row === undefined) return withStoredSecrets(settings, noSecrets)
  const today = frozen === null ? configuration : (await configurationOf(db, row)).configuration
  return withStoredSecrets(settings, await storedSecrets(db, row, settings, [today]))
}

function settingsByName(stored: readonly Stored[], sent: readonly Configuration[]): Map<string, Configuration> {
  const names = new Set(stored.map(({ name }) => foldName(name)))
  const byName = new Map<string, Configuration>()
  for (const [index, configuration] of sent.entries()) {
    const name = foldName(configuration.manifestName)
    const message = names.has(name)
      ? `The configuration of "${configuration.manifestName}" was sent twice.`
      : `"${configuration.manifestName}" is not a manifest of this build.`
    if (!names.has(name) || byName.has(name))
      throw invalid(message, [{ path: `manifestProperties.${index}.manifestName`, message }])
    byName.set(name, configuration)
  }
  return byName
}

/**
 * Combines the configurations of a package: the manifest's own with the exclusions of its sub-manifests, and their aggregate queries with
 * unused names.
 */
function packageConfiguration([own, ...others]: readonly Configuration[]): Configuration {
  if (own === undefined) throw new RangeError('A package requires the configuration of its manifest.')
  const { apiConfiguration, aggregateQueries } = own.configurationBuild
  const builds = others.map(({ configurationBuild }) => configurationBuild)
  const excluded = builds.flatMap(build => build.apiConfiguration.excludeOperations)
  const excludeOperations = [...new Set([...apiConfiguration.excludeOperations, ...excluded])]
  const queries = new Map(aggregateQueries.map(query => [keyOf(query), query]))
  for (const query of builds.flatMap(build => build.aggregateQueries))
    if (!queries.has(keyOf(query))) queries.set(keyOf(query), query)
  return {
    ...own,
    configurationBuild: {
      ...own.configurationBuild,
      apiConfiguration: { ...apiConfiguration, excludeOperations },
      aggregateQueries: [...queries.values()],
    },
  }
}

/** Names are unique per entity. */
function keyOf({ entity, name }: AggregateQuery): string {
  return JSON.stringify([foldName(entity), foldName(name)])
}

type Input = {
  organisationId: number
  manifestId: number
  version: string
  packageName: string
  packageVersion: string
  organisation: string
  publishAs: PublishKind
  settings: string
  delivery: Pick<Delivery, 'owner' | 'adopts'>
}

type BuiltRow = Pick<
  PackageVersionRow,
  'organisation_id' | 'manifest_id' | 'manifest_version' | 'version' | 'publish_as' | 'settings'
>

/** Input of the build of a stored version, with stored settings; parsed by the worker. */
export function packageInput(
  of: { name: string; organisation: string } & Pick<Input, 'delivery'>,
  row: BuiltRow,
): Input {
  return {
    organisationId: row.organisation_id,
    manifestId: row.manifest_id,
    version: row.manifest_version,
    packageName: of.name,
    organisation: of.organisation,
    packageVersion: row.version,
    publishAs: row.publish_as,
    settings: row.settings,
    delivery: of.delivery,
  }
}

/** Without secrets, which are inserted on download only. A package with a schema or models only has no API. */
export function configurationOfBuild(settings: readonly Configuration[], publishAs: PublishKind): Configuration {
  const configuration = withoutSecrets(packageConfiguration(settings))
  return adjustApiTypes(configuration, publishAs === 'PACKAGE' ? 'Manifest' : 'Database')
}
