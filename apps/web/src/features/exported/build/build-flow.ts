import type { Configuration } from '@cadmus/model/configuration'
import { connectionUrl, databaseTypeOf, databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { propertyProblems } from '@cadmus/model/rules/configuration'
import { compareVersions, parseVersion } from '@cadmus/model/version'

/** A manifest of the build, as deep as it lies below the first. */
export type BuildNode = { id: number; name: string; level: number }

/** What a build needs before it can be changed: the manifests with their configurations, by name, and which versions there are. */
export type BuildStart = {
  nodes: readonly BuildNode[]
  configurations: readonly Configuration[]
  version: string
  takenVersions: readonly string[]
  /** The version that says that callers of the last build cannot go on as they do, and why; null where they can. */
  suggestion: { version: string; reasons: readonly string[] } | null
}

export type BuildForm = { version: string; configurations: ReadonlyMap<string, Configuration> }

export function openBuild({ version, configurations }: BuildStart): BuildForm {
  return { version, configurations: new Map(configurations.map(one => [one.manifestName, one])) }
}

/** What is wrong with the version; null where it can be built. */
export function versionProblem(version: string, taken: readonly string[]): string | null {
  if (!parseVersion(version)) return messages.invalidVersion
  return taken.some(one => compareVersions(one, version) === 0) ? messages.packages.versionBuilt : null
}

/** The manifest whose settings cannot be built with, if there is one, by its name. */
export function manifestWithProblem({ configurations }: BuildForm): string | null {
  const found = [...configurations].find(([, configuration]) => propertyProblems(configuration).size > 0)
  return found?.[0] ?? null
}

type Pool = Configuration['packageProperties']['connectionPoolInfo']

export function databaseOf({ type }: Pool): DatabaseType {
  return databaseTypeOf(type) ?? 'mysql'
}

/** Another kind of database: its address is that of its template. */
export function withType(pool: Pool, type: DatabaseType): Pool {
  return { ...pool, type: databaseTypeTable[type].configuration, url: connectionUrl(type, pool.databaseName) }
}

/** Another name: an address that still is the template follows it. */
export function withDatabaseName(pool: Pool, databaseName: string): Pool {
  const type = databaseOf(pool)
  const isTemplate = pool.url === connectionUrl(type, pool.databaseName)
  return { ...pool, databaseName, ...(isTemplate ? { url: connectionUrl(type, databaseName) } : {}) }
}

/** What is sent of a configuration: rows of properties that nobody filled are none. */
export function sentConfiguration(configuration: Configuration): Configuration {
  const { packageProperties } = configuration
  const customProperties = packageProperties.customProperties.filter(({ name, value }) => name !== '' || value !== '')
  return { ...configuration, packageProperties: { ...packageProperties, customProperties } }
}

/** The configuration with other fields in one part of what is built. */
export function withBuild<P extends 'apiConfiguration' | 'sqlConfiguration' | 'serviceConfiguration'>(
  configuration: Configuration,
  part: P,
  values: Partial<Configuration['configurationBuild'][P]>,
): Configuration {
  const { configurationBuild } = configuration
  return {
    ...configuration,
    configurationBuild: { ...configurationBuild, [part]: { ...configurationBuild[part], ...values } },
  }
}

/** The configuration with other properties of its package. */
export function withProperties(
  configuration: Configuration,
  values: Partial<Configuration['packageProperties']>,
): Configuration {
  return { ...configuration, packageProperties: { ...configuration.packageProperties, ...values } }
}
