import { defaults } from '@cadmus/model/limits'
import { sessionStore } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'

/**
 * '/packages?new=Shop': the package just built of a manifest; `org`: the organisation that an administrator works in.
 */
export type PackagesPlace = { new?: string; org?: string }

export function packagesPlaceIn(search: Record<string, unknown>): PackagesPlace {
  return { ...wordOf('new', search), ...wordOf('org', search) }
}

/** The organisation if the page was reached from the administration, else null; holds across a reload. */
export function administeredAt({ org }: PackagesPlace): string | null {
  if (sessionStore.getState().user?.isAdmin !== true) return null
  if (org === undefined && storage.read('workSection') !== '/admin') return null
  return org ?? storage.read('adminOrganisation') ?? defaults.organisationCode
}

function wordOf(name: 'new' | 'org', search: Record<string, unknown>): PackagesPlace {
  const value = search[name]
  return typeof value === 'string' && value !== '' && value.length <= 400 ? { [name]: value } : {}
}
