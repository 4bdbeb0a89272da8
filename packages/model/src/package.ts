import { limits } from './limits.ts'

/** States of a build, and of a package by its newest build. */
export const packageStates = ['PROCESSING', 'SUCCESS', 'FAILED'] as const
export type PackageState = (typeof packageStates)[number]

/** Built from the organisation's own manifests, or from predefined ones. */
export const packageFilters = ['private', 'public'] as const
export type PackageFilter = (typeof packageFilters)[number]

/** State of an uploaded package on its instance. */
export const uploadStates = ['LOADED', 'STARTED'] as const
export type UploadState = (typeof uploadStates)[number]

/** Kind of build: a package as configured, the database schema only, or the data models only. */
export const publishKinds = ['PACKAGE', 'DB_STRUCTURE', 'ENTITY_GLOOP_MODEL'] as const
export type PublishKind = (typeof publishKinds)[number]

/** Parts of the settings of a build that may be chosen for it instead of the configuration's. */
export const buildChoices = ['apis', 'connection', 'sql'] as const
export type BuildChoice = (typeof buildChoices)[number]

/** Built-in packages of an instance: hidden in pickers, and reserved as names. */
export const hiddenPackages: readonly string[] = ['core', 'cdm-client']

/** Default package name of a manifest: letters, digits, `-` and `_`. */
export function defaultPackageName(manifestName: string): string {
  return manifestName
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, limits.packageName.max)
}
