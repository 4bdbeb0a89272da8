import { addressIn, documentIn, stateIn, textOf, type Address } from '../../workbench/address.ts'

/**
 * What the address of the administration shows: an organisation and one of its tabs, or a document that is opened in it:
 * '/admin?org=ACME&entity=12&tab=relationships'.
 */
export type AdminPlace = Address & { org?: string | undefined }

const organisationTabs = ['overview', 'packages', 'members', 'licence', 'changes'] as const
export type OrganisationTab = (typeof organisationTabs)[number]

/** The first one where the address names none of them. */
export function tabIn({ tab }: Pick<AdminPlace, 'tab'>): OrganisationTab {
  return organisationTabs.find(known => known === tab) ?? 'overview'
}

/** Reads a place from an address; a document is nowhere without an organisation. */
export function adminPlaceIn(search: Record<string, unknown>): AdminPlace {
  const org = search['org']
  if (typeof org !== 'string' || org === '') return {}
  return { org, ...stateIn(search), ...addressIn(search) }
}

/** Whether both show the same, if perhaps in another tab or version. */
export function isSameContent(one: AdminPlace, other: AdminPlace): boolean {
  return one.org === other.org && documentIn(one)?.tabId === documentIn(other)?.tabId
}

/** One text a place, to compare places by. */
export function placeText(place: AdminPlace): string {
  return `${place.org ?? ''} ${textOf(place)}`
}
