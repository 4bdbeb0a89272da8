import type { NamingRules } from '../validation/subject.ts'

// For tests only: rules for names like those of databases.

const size = (name: string) => name.length

export const namingRules = {
  postgresql: { label: 'PostgreSQL', reserved: new Set(['order', 'user']), limit: 63, size },
  mysql: { label: 'MySQL', reserved: new Set(['order', 'rank']), limit: 64, size },
  hsql: { label: 'HSQL', reserved: new Set(['user']), limit: 128, size },
} as const satisfies Record<string, NamingRules>
