/** The inner tab of a manifest with its problems. */
export const problemsTab = 'problems'
