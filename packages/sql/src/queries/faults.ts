import { limits } from '@cadmus/model/limits'
import { visibleText } from '@cadmus/model/visible-text'

/** What a caller is told of an operation that was not made. What the caller sent is shown short and without what is not seen. */
export const faults = {
  notFound: (entity: string) => `'${entity}' record not found.`,
  noEntity: (name: string) => `There is no entity "${shown(name)}".`,
  noField: (name: string) => `There is no field "${shown(name)}".`,
  noRelation: (name: string) => `There is no relation "${shown(name)}".`,
  noQuery: (name: string) => `There is no aggregate query "${shown(name)}".`,
  noHistory: (entity: string) => `Changes of "${entity}" are not recorded.`,
  noKey: (entity: string) => `Records of "${entity}" have no key.`,
  noOperation: (entity: string) => `"${entity}" has no such operation.`,
  noTenant: 'The caller belongs to no tenant.',
  tenantLength: (most: number) => `A tenant's name has at most ${most} characters.`,
  field: (name: string, fault: string) => `${name}: ${fault}`,
  required: 'a value is needed.',
  generated: 'this is made by the database.',
  object: 'this must be an object.',
  textNeeded: 'this must be a text.',
  missingIsNull: 'a missing value is found by "null".',
  list: 'this must be a list of values.',
  tooManyValues: (most: number) => `at most ${most} values at once.`,
  patternLength: (most: number) => `this must be at most ${most} characters long.`,
  notCompared: (comparison: string) => `values of this kind are not found by "${comparison}".`,
  notSorted: 'values of this kind have no order.',
  limit: `limit: this must be a whole number from ${limits.rows.leastOfPage} to ${limits.rows.mostOfPage}.`,
  offset: 'offset: this must be a whole number from 0.',
  sequence: 'after: this must be a whole number from 0.',
  search: 'search: this must not contain NUL or unpaired surrogates.',
  searchLength: (most: number) => `search: this must be at most ${most} characters long.`,
  tooMuch: (what: string, most: number) => `At most ${most} ${what} at once.`,
  tooManyCopies: (most: number) =>
    `What these records lead to, and those again, could be more than ${most} records, most of them many times: ask for fewer, or not there and back.`,
  taken: 'There is a record with these values already.',
  referred: 'Other records refer to this one, or it refers to one that is not there.',
  unfit: 'The database does not take one of the values.',
} as const

function shown(text: string): string {
  return visibleText(text.slice(0, 120))
}
