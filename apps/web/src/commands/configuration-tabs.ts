export const configurationTabs = ['api', 'sql', 'service', 'properties', 'queries', 'scopes'] as const
export type ConfigurationTab = (typeof configurationTabs)[number]

export const tabLabels = {
  api: 'API Configuration',
  sql: 'SQL Configuration',
  service: 'Service Configuration',
  properties: 'Property Configuration',
  queries: 'Aggregate Queries',
  scopes: 'API Scopes',
} as const satisfies Record<ConfigurationTab, string>
