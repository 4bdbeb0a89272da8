import { sessionStore } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'

/** '/packages?new=Shop': the package of a manifest that was just built; `org`: as an administrator, in that organisation. */
export type PackagesPlace = { new?: string; org?: string }

export function packagesPlaceIn(search: Record<string, unknown>): PackagesPlace {
  return { ...wordOf('new', search), ...wordOf('org', search) }
}

/** Packages are shown as the administration does where they were reached from there, also after a reload. */
export function isOfAdministration({ org }: PackagesPlace): boolean {
  if (sessionStore.getState().user?.isAdmin !== true) return false
  return org !== undefined || storage.read('workSection') === '/admin'
}

function wordOf(name: 'new' | 'org', search: Record<string, unknown>): PackagesPlace {
  const value = search[name]
  return typeof value === 'string' && value !== '' && value.length <= 400 ? { [name]: value } : {}
}
