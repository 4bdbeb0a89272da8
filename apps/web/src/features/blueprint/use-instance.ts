import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { hiddenPackages } from '@cadmus/model/package'
import { messages } from '@cadmus/model/messages'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { builtPackages } from '../../api/await-build.ts'
import { instanceDatabases, hostedInstances, instancePackages, type Instance } from '../../api/instance-calls.ts'
import { scoped } from '../../api/query-client.ts'
import type { CallOptions } from '../../api/send.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { instanceOf } from './blueprint-rules.ts'
import type { Blueprint, ExistingPackage } from './blueprint.ts'

/** A database of an instance. `label`: includes the instance name if there are several. */
export type OfferedDatabase = { name: string; instance: Instance; label: string }

// Never cached: instances change independently, and the key holds credentials.
const uncached = { staleTime: 0, gcTime: 0, retry: false }

/** Databases of the target instance; for an export, databases of all hosted instances. */
export function useDatabases(state: Blueprint) {
  const instance = instanceOf(state)
  const query = useQuery({
    ...scoped(['instance', 'databases', state.goal, instance], options =>
      state.goal === 'publish' ? databasesOf(instance, options) : databasesOfHosted(options),
    ),
    ...uncached,
  })
  const failed = query.error !== null && !query.isFetching
  useEffect(() => {
    if (failed) notify('error', messages.packages.failed.databases)
  }, [failed])
  return query
}

async function databasesOf(instance: Instance | null, options: CallOptions): Promise<OfferedDatabase[]> {
  if (instance === null) return []
  return (await instanceDatabases(instance, options)).map(({ name }) => ({ name, instance, label: name }))
}

async function databasesOfHosted(options: CallOptions): Promise<OfferedDatabase[]> {
  const hosted = await hostedInstances(options)
  const all = hosted.map(async ({ name: instanceName, path: instanceUrl }) => {
    const databases = await databasesOf({ instanceUrl }, options)
    return databases.map(database => ({ ...database, label: `${database.name} (${instanceName})` }))
  })
  // An unreachable instance must not hide the databases of other instances: fail only if all instances fail.
  const settled = await Promise.allSettled(all)
  const failure = settled.find(one => one.status === 'rejected')
  if (failure && settled.every(one => one.status === 'rejected')) throw failure.reason
  return settled.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
}

/** Reason why no database can be chosen; undefined while loading or if there are some. */
export function noDatabases(state: Blueprint, databases: readonly OfferedDatabase[] | undefined): string | undefined {
  if (databases === undefined || databases.length > 0) return undefined
  return state.goal === 'publish' ? blueprintTexts.noDatabases : blueprintTexts.noHostedDatabases
}

/** Packages of the target instance, or the console's builds; without the instance's built-in ones. */
export function usePackages(state: Blueprint) {
  const instance = instanceOf(state)
  return useQuery({
    ...scoped(['instance', 'packages', state.goal, instance], async (options): Promise<ExistingPackage[]> => {
      const packages = instance === null ? await builtPackages(options) : await instancePackages(instance, options)
      return packages
        .filter(one => !hiddenPackages.includes(one.name) && !('taken' in one))
        .map(({ name, versions }) => ({ name, versions }))
    }),
    ...uncached,
  })
}
