/** Texts of the search for anything. */
export const paletteTexts = {
  label: 'Search or run a command',
  placeholder: 'Search names, descriptions, choices, scopes and commands',
  searching: 'Searching…',
  nothing: 'Nothing found',
  recent: 'recent',
  open: 'Open',
  run: 'Run',
  beside: 'Open Beside',
  attribute: (entity: string) => `attribute of ${entity}`,
  relationship: (entity: string, target: string) =>
    target === '' ? `relationship of ${entity}` : `relationship of ${entity} to ${target}`,
  choice: (entity: string, attribute: string) => `choice of ${entity}.${attribute}`,
  scope: (entity: string, operations: string) => `scope on ${entity}: ${operations}`,
  scopeDefinition: (manifest: string) => `scope defined by ${manifest}`,
  description: (document: string, row: string) => `description of ${row === '' ? document : `${document}.${row}`}`,
}
