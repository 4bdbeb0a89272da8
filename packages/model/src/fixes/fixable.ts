/** Codes of problems that have repairs. */
export const fixableCodes = [
  'noKey',
  'twoKeys',
  'keyType',
  'repeatedAttribute',
  'name',
  'nameTooLong',
  'reservedWord',
  'choicesType',
  'choicesLength',
  'defaultType',
  'maxLength',
  'notIndexable',
  'parentGone',
  'extendsCycle',
  'targetGone',
  'targetAttributeGone',
  'targetType',
  'targetNotUnique',
  'setNullRequired',
  'scope',
  'exclusionScoped',
  'aggregateEntity',
  'aggregateField',
  'aggregateType',
  'exclusion',
  'sotEntity',
  'sotEmpty',
  'securityUnused',
  'rbacUnused',
] as const
export type FixableCode = (typeof fixableCodes)[number]

/** Whether there may be a repair of problems with the code. */
export function isFixable(code: string): code is FixableCode {
  return fixableCodes.some(one => one === code)
}
