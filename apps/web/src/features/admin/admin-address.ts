/** What the address of the administration shows: which organisation, and which of its tabs. */
export type AdminPlace = { org?: string | undefined; tab?: string | undefined }

const organisationTabs = ['members', 'licence', 'changes'] as const
export type OrganisationTab = (typeof organisationTabs)[number]

/** The first one where the address names none of them. */
export function tabIn({ tab }: AdminPlace): OrganisationTab {
  return organisationTabs.find(known => known === tab) ?? 'members'
}
