import { apiTypes, type Configuration } from '@cadmus/model/configuration'
import { databaseTypeTable } from '@cadmus/model/database-types'
import { nextMajor, nextPatch } from '@cadmus/model/version'
import type { BuildRequest } from '../../api/packages.ts'
import { packageOf } from './blueprint-rules.ts'
import type { Blueprint } from './blueprint.ts'

/** The version of the next build: the next patch of what was built, and of what the instance has; 1.0.0 where there is nothing. */
export function versionAfter(built: readonly string[], state: Blueprint): string {
  return state.version ?? nextPatch(versionsBefore(built, state))
}

/** The version that says that callers of those before cannot go on as they do. */
export function majorAfter(built: readonly string[], state: Blueprint): string | undefined {
  return nextMajor(versionsBefore(built, state))
}

function versionsBefore(built: readonly string[], { packageMode, existingPackage }: Blueprint): string[] {
  const there = packageMode === 'existing' ? (existingPackage?.versions ?? []) : []
  return [...built.slice(0, 1), ...there]
}

/** The build request of document 2 §3. */
export function buildRequest(state: Blueprint, version: string): BuildRequest {
  return {
    publishAs: state.schema ?? 'PACKAGE',
    customPackageName: packageOf(state),
    manifestProperties: settingsOf(state),
    version,
    customBuild: true,
  }
}

/** The settings of the build, the manifest's first. */
export function settingsOf(state: Blueprint): Configuration[] {
  return (state.settings ?? []).map(own => configured(own, state))
}

/** What is stored, with what was chosen here in its place: for the manifest and for its sub-manifests, which share one package. */
function configured(stored: Configuration, { apis, schema, databaseType, connection, sql }: Blueprint): Configuration {
  const { packageProperties, configurationBuild } = stored
  const { apiConfiguration, sqlConfiguration } = configurationBuild
  const type = databaseTypeTable[databaseType].configuration
  return {
    ...stored,
    packageProperties:
      schema === 'ENTITY_GLOOP_MODEL'
        ? packageProperties
        : { ...packageProperties, connectionPoolInfo: { type, ...connection } },
    configurationBuild: {
      ...configurationBuild,
      apiConfiguration: { ...apiConfiguration, type: apiTypes.filter(api => apis.includes(api)) },
      sqlConfiguration: sql ?? sqlConfiguration,
    },
  }
}
