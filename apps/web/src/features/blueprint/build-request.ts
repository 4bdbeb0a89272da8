import { apiTypes, type Configuration } from '@cadmus/model/configuration'
import { packageDatabaseTable } from '@cadmus/model/database-types'
import { nextMajor, nextPatch } from '@cadmus/model/version'
import type { BuildRequest } from '../../api/packages.ts'
import { packageOf } from './blueprint-rules.ts'
import type { Blueprint } from './blueprint.ts'

/** Version of the next build: one patch above the built and published versions, 1.0.0 if there are none. */
export function versionAfter(built: readonly string[], state: Blueprint): string {
  return state.version ?? nextPatch(versionsBefore(built, state))
}

/** Next major version, for a build that breaks existing callers. */
export function majorAfter(built: readonly string[], state: Blueprint): string | undefined {
  return nextMajor(versionsBefore(built, state))
}

function versionsBefore(built: readonly string[], { packageMode, existingPackage }: Blueprint): string[] {
  const published = packageMode === 'existing' ? (existingPackage?.versions ?? []) : []
  return [...built.slice(0, 1), ...published]
}

export function buildRequest(state: Blueprint, version: string): BuildRequest {
  return {
    publishAs: state.schema ?? 'PACKAGE',
    customPackageName: packageOf(state),
    manifestProperties: settingsOf(state),
    version,
    customBuild: true,
  }
}

export function settingsOf(state: Blueprint): Configuration[] {
  return (state.settings ?? []).map(own => configured(own, state))
}

/** Stored configuration with the wizard's choices, for the manifest and its sub-manifests: they share one package. */
function configured(stored: Configuration, { apis, schema, databaseType, connection, sql }: Blueprint): Configuration {
  const { packageProperties, configurationBuild } = stored
  const { apiConfiguration, sqlConfiguration } = configurationBuild
  const type = packageDatabaseTable[databaseType].configuration
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
