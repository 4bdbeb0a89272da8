import {
  getInstanceDatabase,
  listInstanceDatabases,
  listInstancePackages,
  listWorkspaces,
  testInstance as testInstanceCall,
} from '@cadmus/model/contract/instance'
import type { CallInput } from '@cadmus/model/contract/call'
import { uploadPackage } from '@cadmus/model/contract/package'
import { callApi } from './client.ts'

/** An instance by its address, and how to sign in there where it is none of the hosted ones. */
export type Instance = CallInput<typeof testInstanceCall>['body']

/** The hosted instances as the choices of a picker. */
export const workspaceSource = {
  key: ['workspaces'],
  load: async (search: string, page: number, size: number, signal: AbortSignal) => {
    const { items, totalElements } = await callApi(listWorkspaces, { query: { search, page, size } }, { signal })
    const options = items.map(({ name, path }) => ({ value: path, label: name, detail: path, data: { name, path } }))
    return { options, total: totalElements }
  },
}

/** Leads from a package that was started to the page where it is called. */
export function openExplorer(instanceUrl: string, name: string) {
  const page = `${instanceUrl}/api-explorer?package=${encodeURIComponent(name)}`
  return { label: 'API explorer', run: () => void window.open(page, '_blank', 'noopener') }
}

/** All hosted instances, by name. */
export async function hostedInstances(signal: AbortSignal) {
  return (await callApi(listWorkspaces, { query: {} }, { signal })).items
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

/** Uploads a version, and waits until the instance has it in the state. Answers what is said of it. */
export async function publishTo(
  instance: Instance,
  { name, version, state }: { name: string; version: string; state: 'LOADED' | 'STARTED' },
  signal?: AbortSignal,
): Promise<string> {
  const input = { params: { name }, body: { ...instance, version, state } }
  return (await callApi(uploadPackage, input, signal ? { signal } : {})).message
}
