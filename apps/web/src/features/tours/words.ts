/** Why there is no entity tour yet. */
export const needsManifest = 'A manifest is required first: an entity is made in one.'
