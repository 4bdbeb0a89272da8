import type { Configuration } from '@cadmus/model/configuration'
import {
  connectionUrl,
  packageDatabaseOf,
  packageDatabaseTable,
  type PackageDatabase,
} from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { propertyProblems } from '@cadmus/model/rules/configuration'
import { compareVersions, parseVersion } from '@cadmus/model/version'

export type BuildNode = { id: number; name: string; level: number }

/** Data that a build starts from: the manifests, their configurations and the existing versions. */
export type BuildStart = {
  nodes: readonly BuildNode[]
  configurations: readonly Configuration[]
  version: string
  takenVersions: readonly string[]
  /** The next major version and the breaking changes that require it; null if there are none. */
  suggestion: { version: string; reasons: readonly string[] } | null
}

export type BuildForm = { version: string; configurations: ReadonlyMap<string, Configuration> }

export function openBuild({ version, configurations }: BuildStart): BuildForm {
  return { version, configurations: new Map(configurations.map(one => [one.manifestName, one])) }
}

/** Reason why the version is invalid; null if it is valid. */
export function versionProblem(version: string, taken: readonly string[]): string | null {
  if (!parseVersion(version)) return messages.invalidVersion
  return taken.some(one => compareVersions(one, version) === 0) ? messages.packages.versionBuilt : null
}

/** Name of the first manifest with invalid settings; null if there is none. */
export function manifestWithProblem({ configurations }: BuildForm): string | null {
  const invalid = [...configurations].find(([, configuration]) => propertyProblems(configuration).size > 0)
  return invalid?.[0] ?? null
}

type Pool = Configuration['packageProperties']['connectionPoolInfo']

export function databaseOf({ type }: Pool): PackageDatabase {
  return packageDatabaseOf(type) ?? 'mysql'
}

/** Changes the database type and resets the URL to its template. */
export function withType(pool: Pool, type: PackageDatabase): Pool {
  return { ...pool, type: packageDatabaseTable[type].configuration, url: connectionUrl(type, pool.databaseName) }
}

/** Renames the database; an unedited template URL follows. */
export function withDatabaseName(pool: Pool, databaseName: string): Pool {
  const type = databaseOf(pool)
  const isTemplate = pool.url === connectionUrl(type, pool.databaseName)
  return { ...pool, databaseName, ...(isTemplate ? { url: connectionUrl(type, databaseName) } : {}) }
}

/** Drops empty property rows. */
export function sentConfiguration(configuration: Configuration): Configuration {
  const { packageProperties } = configuration
  const customProperties = packageProperties.customProperties.filter(({ name, value }) => name !== '' || value !== '')
  return { ...configuration, packageProperties: { ...packageProperties, customProperties } }
}

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

export function withProperties(
  configuration: Configuration,
  values: Partial<Configuration['packageProperties']>,
): Configuration {
  return { ...configuration, packageProperties: { ...configuration.packageProperties, ...values } }
}
