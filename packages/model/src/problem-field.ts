import type { Problem } from './problem.ts'

const columnFields: Readonly<Record<string, string>> = {
  notIndexable: 'unique',
  choicesType: 'choices',
  choicesLength: 'choices',
  defaultType: 'defaultValue',
  maxLength: 'maxLength',
  targetGone: 'associatedEntity',
  targetAttributeGone: 'associatedEntityTypeAttribute',
  targetNotUnique: 'associatedEntityTypeAttribute',
  targetType: 'foreignKeyDataType',
  setNullRequired: 'onDelete',
  pairGone: 'alsoBy',
  pairType: 'alsoBy',
  external: 'associatedEntity',
  alternatives: 'associatedEntity',
}
const nameCodes: ReadonlySet<string> = new Set(['name', 'nameTooLong', 'reservedWord', 'repeatedAttribute'])

/** The field of the entity, attribute or relationship that a problem is about; undefined if it is about all of it. */
export function problemField({ code, path, field }: Problem): string | undefined {
  const kind = path.at(-1)?.kind
  if (field !== undefined || kind === undefined || kind === 'manifest') return field
  const isRelationship = kind === 'entityAttribute'
  if (nameCodes.has(code)) return isRelationship ? 'foreignKeyTypeAttribute' : 'name'
  if (kind === 'entity' && code === 'groupIncomplete') return 'groups'
  if (kind === 'entity' && code.startsWith('check')) return 'checks'
  if (kind === 'entity')
    return code === 'scope' ? 'operationScopes' : code === 'parentGone' ? 'extendsEntity' : undefined
  if (code === 'keyType') return isRelationship ? 'foreignKeyDataType' : 'dataType'
  if (code === 'twoKeys') return isRelationship ? 'foreignKeyPurpose' : 'purpose'
  return columnFields[code]
}
