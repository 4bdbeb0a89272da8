import type { CallInput } from '@cadmus/model/contract/call'
import { listInstancePackages, listWorkspaces } from '@cadmus/model/contract/instance'
import { uploadPackage as uploadPackageCall } from '@cadmus/model/contract/package'
import { useQuery } from '@tanstack/react-query'
import type { OptionSource } from '../ui/options.ts'
import { callApi } from './client.ts'
import { keys } from './query-client.ts'

/** An instance by its address, and how to sign in there where it is none of the hosted ones. */
export type InstanceAccess = CallInput<typeof listInstancePackages>['body']
type Wanted = { name: string; version: string; state: 'LOADED' | 'STARTED' }

/** The hosted instances as suggestions: their addresses, by name. */
export const hostedInstances: OptionSource<null> = {
  key: ['hosted-instances'],
  async load(search, page, size, signal) {
    const { items, totalElements } = await callApi(listWorkspaces, { query: { search, page, size } }, { signal })
    const options = items.map(({ name, path }) => ({ value: path, label: name, detail: path, data: null }))
    return { options, total: totalElements }
  },
}

/** The addresses of all hosted instances; undefined while unknown. */
export function useHostedAddresses(): ReadonlySet<string> | undefined {
  const { data, isError } = useQuery({
    queryKey: [...keys.options, 'hosted-addresses'],
    queryFn: async ({ signal }) =>
      (await callApi(listWorkspaces, { query: {} }, { signal })).items.map(({ path }) => path),
  })
  // Where nobody says which there are, each is signed in to.
  return data || isError ? new Set(data) : undefined
}

/** The packages of an instance, without its own. */
export async function packagesAt(access: InstanceAccess, signal: AbortSignal) {
  return (await callApi(listInstancePackages, { body: access }, { signal })).items
}

/** Uploads a version to an instance and waits until it is there in the state; answers what is said of it. */
export async function uploadPackage(access: InstanceAccess, wanted: Wanted, signal: AbortSignal): Promise<string> {
  const { name, version, state } = wanted
  const body = { ...access, version, state }
  return (await callApi(uploadPackageCall, { params: { name }, body }, { signal })).message
}
