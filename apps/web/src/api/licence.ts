import { isPackageDatabase, type PackageDatabase, packageDatabases } from '@cadmus/model/database-types'
import { useQuery } from '@tanstack/react-query'
import { useStore } from 'zustand'
import type { LoadedOrganisation } from './organisations.ts'
import { keys, queryClient } from './query-client.ts'
import { currentScope, isAdministration, useScope } from './scope.ts'
import { sessionStore, type SessionState } from './session-store.ts'

type Licence = SessionState['licence']

/** The licence of the current organisation; null until loaded. */
export function currentLicence(): Licence {
  const { organisation } = currentScope()
  if (!isAdministration()) return sessionStore.getState().licence
  return licenceIn(queryClient.getQueryData<LoadedOrganisation>(keys.organisation(organisation)))
}

export function useLicence(): Licence {
  const scope = useScope()
  const own = useStore(sessionStore, ({ licence }) => licence)
  // The administration loads its organisation.
  const { data } = useQuery<LoadedOrganisation>({ queryKey: keys.organisation(scope.organisation), enabled: false })
  return isAdministration(scope) ? licenceIn(data) : own
}

/** Database types of packages that the licence includes, the default first. */
export function useLicensedPackageDatabases(): readonly PackageDatabase[] {
  return useLicence()?.databaseTypes.filter(isPackageDatabase) ?? packageDatabases
}

function licenceIn(loaded: LoadedOrganisation | undefined): Licence {
  if (!loaded) return null
  const { code, serviceOptions, licence } = loaded.organisation
  return { code, serviceOptions, ...licence }
}
