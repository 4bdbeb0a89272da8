/** Loaded with the first screen, as their commands are. */
export const tourNames = {
  onboarding: 'Onboarding',
  manifest: 'Create Manifest Tour',
  entity: 'Create Entity Tour',
  sheet: 'Attribute Sheet Tour',
  diagram: 'Diagram Tour',
  publishing: 'Publishing Tour',
} as const

/** Reasons why a tour is not available yet. */
export const needsManifest = 'A manifest is required first: every entity belongs to one.'
export const needsOpen = { entity: 'Open an entity first.', manifest: 'Open a manifest first.' }
