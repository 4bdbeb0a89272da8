import { limits } from './limits.ts'

/** A package's builds, and through its newest one the package. */
export const packageStates = ['PROCESSING', 'SUCCESS', 'FAILED'] as const
export type PackageState = (typeof packageStates)[number]

/** Built from what the organisation has of its own, or from what is predefined. */
export const packageFilters = ['private', 'public'] as const
export type PackageFilter = (typeof packageFilters)[number]

/** In which state an instance is to have an uploaded package. */
export const uploadStates = ['LOADED', 'STARTED'] as const
export type UploadState = (typeof uploadStates)[number]

/** What a build makes: a package that serves what the configuration says, one with the database's schema only, or one with the data models only. */
export const publishKinds = ['PACKAGE', 'DB_STRUCTURE', 'ENTITY_GLOOP_MODEL'] as const
export type PublishKind = (typeof publishKinds)[number]

/** Packages of an instance itself: no picker shows them, and nothing is built under these names. */
export const hiddenPackages: readonly string[] = ['core', 'cdm-client']

/** The name that a package of a manifest has where none is given: letters, digits, `-` and `_`. */
export function defaultPackageName(manifestName: string): string {
  return manifestName
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, limits.packageName.max)
}
