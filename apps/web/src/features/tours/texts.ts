/** Reason why the entity tour is not available yet. */
export const needsManifest = 'A manifest is required first: every entity belongs to one.'
