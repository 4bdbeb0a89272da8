import {
  buildManifest as buildManifestCall,
  compareBuild as compareBuildCall,
  deletePackage as deletePackageCall,
  downloadPackage as downloadPackageCall,
  getBuildSettings,
  getPackageStatus,
  listPackages,
  type PackageItem,
} from '@cadmus/model/contract/package'
import type { Configuration } from '@cadmus/model/configuration'
import type { CallInput } from '@cadmus/model/contract/call'
import { isEqual } from '@cadmus/model/equal'
import { limits } from '@cadmus/model/limits'
import type { PackageFilter } from '@cadmus/model/package'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi, callForFile } from './client.ts'
import { saveFile } from './download.ts'
import { invalidate, keys, refresh, scoped } from './query-client.ts'
import type { CallOptions } from './send.ts'

export type { PackageBuild, PackageItem } from '@cadmus/model/contract/package'

/** `filter` undefined: both kinds; empty fields do not filter. */
export type PackageQuery = { filter?: PackageFilter; search?: string; manifestName?: string; manifestId?: number }
type CompareRequest = CallInput<typeof compareBuildCall>['body']
export type BuildRequest = CallInput<typeof buildManifestCall>['body']

/** Packages that match, by name, and their number; the previous result is shown while loading. */
export function usePackages(query: PackageQuery) {
  const list = scoped([...keys.packages, query], async options => {
    const input = { query: { ...query, limit: limits.listLimit.max } }
    const { packages, totalElements } = await callApi(listPackages, input, options)
    return { packages, total: totalElements }
  })
  return useQuery({
    ...list,
    // Results of another organisation must not be shown.
    placeholderData: (before, query) =>
      isEqual(query?.queryKey[0], list.queryKey[0]) ? keepPreviousData(before) : undefined,
  })
}

/** Names of the packages that were built from a manifest. */
export async function packagesOf(manifestId: number, options: CallOptions): Promise<string[]> {
  const { packages } = await callApi(listPackages, { query: { manifestId, limit: limits.listLimit.max } }, options)
  return packages.map(({ name }) => name)
}

/** Follows packages being built: polls their status every 5 seconds and reloads the lists when it changes. */
export function useFollowedBuilds(packages: readonly PackageItem[]): void {
  const ids = packages
    .filter(({ status }) => status === 'PROCESSING')
    .slice(0, limits.statusesAtOnce)
    .map(({ id }) => id)
  const packageIds = ids.join(',')
  const { data, dataUpdatedAt } = useQuery({
    ...scoped(['packageStatus', packageIds], async options =>
      (await callApi(getPackageStatus, { query: { packageIds } }, options)).packages.map(({ status }) => status),
    ),
    enabled: packageIds !== '',
    // The status from the list is valid for the first five seconds.
    initialData: () => ids.map(() => 'PROCESSING' as const),
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: limits.packagePoll,
  })
  const isOver = data.length < ids.length || data.some(status => status !== 'PROCESSING')
  useEffect(() => {
    if (isOver) void invalidate(keys.packages)
  }, [isOver, dataUpdatedAt])
}

/** Downloads the zip of a version. Returns the file name. */
export async function downloadPackage(id: number, version: string, { withPassword = false } = {}): Promise<string> {
  const query = { version, includePassword: withPassword ? ('true' as const) : ('false' as const) }
  const { blob, fileName } = await callForFile(downloadPackageCall, { params: { id }, query })
  saveFile(blob, fileName)
  return fileName
}

export async function deletePackage(id: number, version: string): Promise<void> {
  try {
    await callApi(deletePackageCall, { params: { id }, query: { version } })
  } finally {
    // The package may have been deleted by someone else.
    refreshPackages()
  }
}

/** Default settings and version of a manifest's build. */
export async function buildSettings(id: number, options: CallOptions) {
  return callApi(getBuildSettings, { params: { id }, query: {} }, options)
}

/** The comparable part of the settings: everything that affects the API, without secrets. */
export function comparable(configurations: readonly Configuration[]): Configuration[] {
  return configurations.map(configuration => {
    const { connectionPoolInfo } = configuration.packageProperties
    const packageProperties = { connectionPoolInfo: { ...connectionPoolInfo, password: '' }, customProperties: [] }
    return { ...configuration, packageProperties }
  })
}

/** Breaking changes since the last build; null if there are none. */
export async function compareBuild(id: number, body: CompareRequest, options: CallOptions) {
  return (await callApi(compareBuildCall, { params: { id }, body }, options)).suggestion
}

/** Builds a package from a manifest; returns the package, which is PROCESSING until the build is finished. */
export async function buildManifest(id: number, body: BuildRequest) {
  const { packageId, packageName, version } = await callApi(buildManifestCall, { params: { id }, body })
  refreshPackages()
  return { packageId, packageName, version }
}

function refreshPackages(): void {
  // The administration's counts.
  void refresh({ queryKey: keys.organisations })
  void invalidate(keys.packages)
}
