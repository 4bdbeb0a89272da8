import type { CallInput } from '@cadmus/model/contract/call'
import {
  getInstanceDatabase,
  listInstanceDatabases,
  listInstancePackages,
  listWorkspaces,
  testInstance as testInstanceCall,
  type InstancePackage,
} from '@cadmus/model/contract/instance'
import { previewUpload as previewUploadCall, uploadPackage as uploadPackageCall } from '@cadmus/model/contract/package'
import { limits } from '@cadmus/model/limits'
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { OptionSource } from '../ui/options.ts'
import { callApi } from './client.ts'
import type { ReadFailure } from '../ui/Field.tsx'
import { invalidate, keyIn, keys, scoped } from './query-client.ts'
import { messages } from '@cadmus/model/messages'
import { messageOf } from './error.ts'
import { readFailure } from './read-failure.ts'
import type { CallOptions } from './send.ts'

/** An instance by URL, with credentials unless it is a hosted one. */
export type Instance = CallInput<typeof testInstanceCall>['body']

export type Upload = {
  name: string
  version: string
  state: 'LOADED' | 'STARTED'
  /** Allows changes that lose data; `lossDigest` restricts that to the list that was shown. */
  allowDataLoss?: boolean
  lossDigest?: string | undefined
}

export type Uploaded = { message: string; warnings: readonly string[] }

/** Hosted instances as picker options: addresses by name. */
export function hostedSource(): OptionSource<{ name: string; path: string }> {
  return {
    key: keyIn([...keys.options, 'workspaces']),
    async load(search, page, size, signal) {
      const { items, totalElements } = await callApi(listWorkspaces, { query: { search, page, size } }, { signal })
      const options = items.map(({ name, path }) => ({ value: path, label: name, detail: path, data: { name, path } }))
      return { options, total: totalElements }
    },
  }
}

export async function hostedInstances(options: CallOptions) {
  return (await callApi(listWorkspaces, { query: {} }, options)).items
}

/** Addresses of all hosted instances; undefined while unknown. */
export function useHostedAddresses(): ReadonlySet<string> | undefined {
  const { data, isError } = useQuery(
    scoped([...keys.options, 'hosted-addresses'], async options =>
      (await hostedInstances(options)).map(({ path }) => path),
    ),
  )
  // If the list cannot be loaded, every instance requires credentials.
  return data || isError ? new Set(data) : undefined
}

const hostedKey = ['instance', 'hosted'] as const

/** The hosted instances, without what they run. */
export function hostedQuery() {
  return scoped([...hostedKey, 'list'], hostedInstances)
}

const running = ['LOADING', 'STARTING', 'STOPPING', 'UNLOADING']

export type Hosting = {
  name: string
  instanceUrl: string
  /** undefined: not loaded yet, or failed. */
  packages: readonly InstancePackage[] | undefined
  failure: ReadFailure | null
}

/**
 * Packages on the hosted instances; `hasNone`: there are no such instances. Shared by all components that show them, and refreshed only while something is in
 * progress.
 */
export function useHosting(): { hosting: readonly Hosting[]; hasNone: boolean; failure: ReadFailure | null } {
  const list = useQuery(hostedQuery())
  const instances = list.data ?? []
  const answers = useQueries({
    queries: instances.map(({ path: instanceUrl }) => ({
      ...scoped([...hostedKey, 'packages', instanceUrl], options => instancePackages({ instanceUrl }, options)),
      retry: false,
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }: { state: { data?: readonly InstancePackage[] | undefined; status: string } }) =>
        state.status !== 'error' && state.data?.some(({ status }) => running.includes(status))
          ? limits.packagePoll
          : (false as const),
    })),
  })
  const hosting = instances.map(({ name, path }, at): Hosting => {
    const answer = answers[at]
    return { name, instanceUrl: path, packages: answer?.data, failure: answer ? stateFailure(answer) : null }
  })
  const hasNone = list.data?.length === 0
  return { hosting, hasNone, failure: readFailure(list, 'The hosted instances could not be read.') }
}

/** Shows the failure beside the earlier state, which may be outdated. */
function stateFailure({ error, isFetching, refetch }: UseQueryResult): ReadFailure | null {
  if (error === null) return null
  return { message: messageOf(error, messages.failed.unexpected), busy: isFetching, retry: () => void refetch() }
}

export function explorerUrl(instanceUrl: string, name: string): string {
  return `${instanceUrl}/api-explorer?package=${encodeURIComponent(name)}`
}

/** Notifies about a started package with a link to its explorer. */
export function openExplorer(instanceUrl: string, name: string) {
  const page = explorerUrl(instanceUrl, name)
  return { label: 'API explorer', run: () => void window.open(page, '_blank', 'noopener') }
}

/** Resolves if the instance is reachable, accepts the credentials and has the packages API. */
export async function testInstance(body: Instance, signal: AbortSignal): Promise<void> {
  await callApi(testInstanceCall, { body }, { signal })
}

/** Packages of an instance, without its built-in ones. */
export async function instancePackages(body: Instance, options: CallOptions) {
  return (await callApi(listInstancePackages, { body }, options)).items
}

export async function instanceDatabases(body: Instance, options: CallOptions) {
  return (await callApi(listInstanceDatabases, { body }, options)).items
}

export async function databaseThere(body: Instance, name: string, signal: AbortSignal) {
  return (await callApi(getInstanceDatabase, { body: { ...body, name } }, { signal })).database
}

/**
 * Uploads a version and waits until the instance has it in the target state. Returns the result: `message` with all
 * `warnings`.
 */
export async function uploadPackage(
  instance: Instance,
  { name, ...upload }: Upload,
  options: CallOptions,
): Promise<Uploaded> {
  const input = { params: { name }, body: { ...instance, ...upload } }
  try {
    const { message, warnings = [] } = await callApi(uploadPackageCall, input, options)
    return { message, warnings: warnings.map(withoutParameter) }
  } finally {
    // The instance may have accepted it even if the call failed.
    void invalidate(hostedKey, keys.packages)
  }
}

/** The warnings that an upload would cause; null if the instance has no preview. */
export async function previewUpload(
  instance: Instance,
  { name, version }: Pick<Upload, 'name' | 'version'>,
  signal: AbortSignal,
) {
  const input = { params: { name }, body: { ...instance, version } }
  return (await callApi(previewUploadCall, input, { signal })).warnings?.map(withoutParameter) ?? null
}

/** Removes the advice to callers of the instance's API: the console asks instead. */
export function withoutParameter(text: string): string {
  return text.replace(/ To allow this, upload or start it with allowDataLoss=true\.$/, '')
}
