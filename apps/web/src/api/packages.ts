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
import { limits } from '@cadmus/model/limits'
import type { PackageFilter } from '@cadmus/model/package'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi, callForFile } from './client.ts'
import { saveFile } from './download.ts'
import { organisationElsewhere } from './elsewhere.ts'
import { keys, queryClient } from './query-client.ts'

export type { PackageBuild, PackageItem } from '@cadmus/model/contract/package'

/** `filter` absent: both; what is '' is not asked for. */
export type PackageQuery = { filter?: PackageFilter; search?: string; manifestName?: string }
type CompareRequest = CallInput<typeof compareBuildCall>['body']
export type BuildRequest = CallInput<typeof buildManifestCall>['body']

/** The packages that fit, by name, and how many there are. Until other ones are there those from before are shown. */
export function usePackages(query: PackageQuery) {
  return useQuery({
    queryKey: [...keys.packages, query],
    queryFn: async ({ signal }) => {
      const { packages, totalElements } = await callApi(
        listPackages,
        { query: { ...query, limit: limits.listLimit.max } },
        { signal },
      )
      return { packages, total: totalElements }
    },
    placeholderData: keepPreviousData,
  })
}

/** Follows those that are being built: their status is asked for every 5 seconds, and where it is another the lists are read again. */
export function useFollowedBuilds(packages: readonly PackageItem[]): void {
  const ids = packages
    .filter(({ status }) => status === 'PROCESSING')
    .slice(0, limits.statusesAtOnce)
    .map(({ id }) => id)
  const packageIds = ids.join(',')
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['packageStatus', packageIds],
    queryFn: async ({ signal }) =>
      (await callApi(getPackageStatus, { query: { packageIds } }, { signal })).packages.map(({ status }) => status),
    enabled: packageIds !== '',
    // What the list says counts for the first five seconds.
    initialData: () => ids.map(() => 'PROCESSING' as const),
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: limits.packagePoll,
  })
  const isOver = data.length < ids.length || data.some(status => status !== 'PROCESSING')
  useEffect(() => {
    if (isOver) void queryClient.invalidateQueries({ queryKey: keys.packages })
  }, [isOver, dataUpdatedAt])
}

/** Hands the zip of a version to the browser's downloads. Answers its name. */
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
    // Whoever else deleted it: it is gone.
    await refreshPackages()
  }
}

/** What a build of a manifest uses where nothing else is said, and its version. */
export async function buildSettings(id: number, signal: AbortSignal) {
  return callApi(getBuildSettings, { params: { id }, query: {} }, { signal })
}

/** What is compared of settings: all that says what is served, and nothing of what is secret. */
export function comparable(configurations: readonly Configuration[]): Configuration[] {
  return configurations.map(given => {
    const { connectionPoolInfo } = given.packageProperties
    const packageProperties = { connectionPoolInfo: { ...connectionPoolInfo, password: '' }, customProperties: [] }
    return { ...given, packageProperties }
  })
}

/** What a build would change for callers of the last one; null where they can go on as they do. */
export async function compareBuild(id: number, body: CompareRequest, signal: AbortSignal) {
  return (await callApi(compareBuildCall, { params: { id }, body }, { signal })).suggestion
}

/** Has a manifest built; answers the package, which is PROCESSING until that is over. */
export async function buildManifest(id: number, body: BuildRequest) {
  const { packageId, packageName, version } = await callApi(buildManifestCall, { params: { id }, body })
  await refreshPackages()
  return { packageId, packageName, version }
}

async function refreshPackages(): Promise<void> {
  // The administration counts what an organisation has; nobody waits for that.
  if (organisationElsewhere() !== null) void queryClient.invalidateQueries({ queryKey: keys.organisations })
  await queryClient.invalidateQueries({ queryKey: keys.packages })
}
