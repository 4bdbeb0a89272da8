import { sessionStore } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'

/**
 * '/packages?new=Shop': the package just built of a manifest; `org`: the organisation that an administrator works in.
 */
export type PackagesPlace = { new?: string; org?: string }

export function packagesPlaceIn(search: Record<string, unknown>): PackagesPlace {
  return { ...wordOf('new', search), ...wordOf('org', search) }
}

/** Whether the page was reached from the administration; holds across a reload. */
export function isOfAdministration({ org }: PackagesPlace): boolean {
  if (sessionStore.getState().user?.isAdmin !== true) return false
  return org !== undefined || storage.read('workSection') === '/admin'
}

function wordOf(name: 'new' | 'org', search: Record<string, unknown>): PackagesPlace {
  const value = search[name]
  return typeof value === 'string' && value !== '' && value.length <= 400 ? { [name]: value } : {}
}
