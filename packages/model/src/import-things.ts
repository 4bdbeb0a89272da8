/** What an imported file declares, and models have a place for. `other`: what has no kind of its own here. */
export const things = [
  'table',
  'column',
  'key',
  'foreignKey',
  'unique',
  'index',
  'check',
  'default',
  'comment',
  'enumeration',
  'other',
] as const
export type Thing = (typeof things)[number]

export const thingNouns: Readonly<Record<Thing, readonly [one: string, many: string]>> = {
  table: ['table', 'tables'],
  column: ['column', 'columns'],
  key: ['primary key', 'primary keys'],
  foreignKey: ['foreign key', 'foreign keys'],
  unique: ['unique constraint', 'unique constraints'],
  index: ['index', 'indexes'],
  check: ['check', 'checks'],
  default: ['default value', 'default values'],
  comment: ['comment', 'comments'],
  enumeration: ['enumeration', 'enumerations'],
  other: ['other constraint', 'other constraints'],
}
