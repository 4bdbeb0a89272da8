import type { CallInput } from '@cadmus/model/contract/call'
import {
  getInstanceDatabase,
  listInstanceDatabases,
  listInstancePackages,
  listWorkspaces,
  testInstance as testInstanceCall,
  type InstancePackage,
} from '@cadmus/model/contract/instance'
import { uploadPackage as uploadPackageCall } from '@cadmus/model/contract/package'
import { limits } from '@cadmus/model/limits'
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { OptionSource } from '../ui/options.ts'
import { callApi } from './client.ts'
import type { ReadFailure } from '../ui/Field.tsx'
import { keys, queryClient } from './query-client.ts'
import { messages } from '@cadmus/model/messages'
import { messageOf } from './error.ts'
import { readFailure } from './read-failure.ts'

/** An instance by its address, and how to sign in there where it is none of the hosted ones. */
export type Instance = CallInput<typeof testInstanceCall>['body']

/** Which version is uploaded, and what it becomes there. */
export type Upload = {
  name: string
  version: string
  state: 'LOADED' | 'STARTED'
  /** Also where the version before has what it has no place for; `lossDigest`: where that is what was shown. */
  allowDataLoss?: boolean
  lossDigest?: string | undefined
}

export type Uploaded = { message: string; warnings: readonly string[] }

/** The hosted instances as choices: their addresses, by name. */
export const hostedSource: OptionSource<{ name: string; path: string }> = {
  key: ['workspaces'],
  async load(search, page, size, signal) {
    const { items, totalElements } = await callApi(listWorkspaces, { query: { search, page, size } }, { signal })
    const options = items.map(({ name, path }) => ({ value: path, label: name, detail: path, data: { name, path } }))
    return { options, total: totalElements }
  },
}

/** All hosted instances, by name. */
export async function hostedInstances(signal: AbortSignal) {
  return (await callApi(listWorkspaces, { query: {} }, { signal })).items
}

/** The addresses of all hosted instances; undefined while unknown. */
export function useHostedAddresses(): ReadonlySet<string> | undefined {
  const { data, isError } = useQuery({
    queryKey: [...keys.options, 'hosted-addresses'],
    queryFn: async ({ signal }) => (await hostedInstances(signal)).map(({ path }) => path),
  })
  // Where nobody says which there are, each is signed in to.
  return data || isError ? new Set(data) : undefined
}

const hostedKey = ['instance', 'hosted'] as const
const underWay = ['LOADING', 'STARTING', 'STOPPING', 'UNLOADING']

export type Hosting = {
  name: string
  instanceUrl: string
  /** undefined: not known yet, or not known at all. */
  packages: readonly InstancePackage[] | undefined
  failure: ReadFailure | null
}

/**
 * What the hosted instances have, each asked once for all that show it; asked again only while something there is under way.
 */
export function useHosting(): { hosting: readonly Hosting[]; failure: ReadFailure | null } {
  const list = useQuery({
    queryKey: [...hostedKey, 'list'],
    queryFn: async ({ signal }) => hostedInstances(signal),
  })
  const instances = list.data ?? []
  const answers = useQueries({
    queries: instances.map(({ path: instanceUrl }) => ({
      queryKey: [...hostedKey, 'packages', instanceUrl],
      queryFn: async ({ signal }: { signal: AbortSignal }) => packagesThere({ instanceUrl }, signal),
      retry: false,
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }: { state: { data?: readonly InstancePackage[] | undefined; status: string } }) =>
        state.status !== 'error' && state.data?.some(({ status }) => underWay.includes(status))
          ? limits.packagePoll
          : (false as const),
    })),
  })
  const hosting = instances.map(({ name, path }, at): Hosting => {
    const answer = answers[at]
    return { name, instanceUrl: path, packages: answer?.data, failure: answer ? stateFailure(answer) : null }
  })
  return { hosting, failure: readFailure(list, 'The hosted instances could not be read.') }
}

/** A state of before may be untrue by now: the failure is shown beside it. */
function stateFailure({ error, isFetching, refetch }: UseQueryResult): ReadFailure | null {
  if (error === null) return null
  return { message: messageOf(error, messages.failed.unexpected), busy: isFetching, retry: () => void refetch() }
}

/** Where a package that runs on an instance is called. */
export function explorerUrl(instanceUrl: string, name: string): string {
  return `${instanceUrl}/api-explorer?package=${encodeURIComponent(name)}`
}

/** Leads from a package that was started to the page where it is called. */
export function openExplorer(instanceUrl: string, name: string) {
  const page = explorerUrl(instanceUrl, name)
  return { label: 'API explorer', run: () => void window.open(page, '_blank', 'noopener') }
}

/** Resolves where the instance is there, lets in and has packages. */
export async function testInstance(body: Instance, signal: AbortSignal): Promise<void> {
  await callApi(testInstanceCall, { body }, { signal })
}

/** The packages of an instance, without its own. */
export async function packagesThere(body: Instance, signal: AbortSignal) {
  return (await callApi(listInstancePackages, { body }, { signal })).items
}

/** The databases that an instance knows, by name. */
export async function databasesThere(body: Instance, signal: AbortSignal) {
  return (await callApi(listInstanceDatabases, { body }, { signal })).items
}

export async function databaseThere(body: Instance, name: string, signal: AbortSignal) {
  return (await callApi(getInstanceDatabase, { body: { ...body, name } }, { signal })).database
}

/** Uploads a version, and waits until the instance has it in the state. Answers what is said of it: `message` with all `warnings`. */
export async function uploadPackage(
  instance: Instance,
  { name, ...wanted }: Upload,
  signal?: AbortSignal,
): Promise<Uploaded> {
  const input = { params: { name }, body: { ...instance, ...wanted } }
  try {
    const { message, warnings = [] } = await callApi(uploadPackageCall, input, signal ? { signal } : {})
    return { message, warnings }
  } finally {
    // The instance may have taken it, whatever became of the answer.
    void queryClient.invalidateQueries({ queryKey: hostedKey })
  }
}
