import { addressIn, documentIn, stateIn, textOf, type Address } from '../../workbench/address.ts'

/**
 * Address of the administration: an organisation and one of its tabs, or a document opened in it:
 * '/admin?org=ACME&entity=12&tab=relationships'.
 */
export type AdminPlace = Address & { org?: string | undefined }

const organisationTabs = ['overview', 'packages', 'members', 'licence', 'changes'] as const
export type OrganisationTab = (typeof organisationTabs)[number]

/** Defaults to the first tab. */
export function tabIn({ tab }: Pick<AdminPlace, 'tab'>): OrganisationTab {
  return organisationTabs.find(candidate => candidate === tab) ?? 'overview'
}

/** Parses a place. A document needs an organisation. */
export function adminPlaceIn(search: Record<string, unknown>): AdminPlace {
  const org = search['org']
  if (typeof org !== 'string' || org === '') return {}
  return { org, ...stateIn(search), ...addressIn(search) }
}

/** Whether both show the same document or organisation; tab and version may differ. */
export function isSameContent(one: AdminPlace, other: AdminPlace): boolean {
  return one.org === other.org && documentIn(one)?.tabId === documentIn(other)?.tabId
}

/** Comparison key of a place. */
export function placeText(place: AdminPlace): string {
  return `${place.org ?? ''} ${textOf(place)}`
}
