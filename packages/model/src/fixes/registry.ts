import * as attributes from './attributes.ts'
import * as configuration from './configuration.ts'
import type { Fix } from './fix.ts'
import type { FixableCode } from './fixable.ts'
import * as names from './names.ts'
import * as relationships from './relationships.ts'

/** The repairs of each code, the usual one first. */
export const fixesByCode: Readonly<Record<FixableCode, readonly Fix[]>> = {
  noKey: [attributes.addKey],
  twoKeys: [attributes.makeOrdinary],
  keyType: [attributes.keyAsInteger, attributes.keyAsString],
  repeatedAttribute: [names.numberName],
  name: [names.useValidName],
  nameTooLong: [names.shorten],
  reservedWord: [names.avoidReserved],
  choicesType: [attributes.removeChoices],
  choicesLength: [attributes.raiseMaxLength, attributes.removeChoices],
  defaultType: [attributes.removeDefault],
  maxLength: [attributes.limitMaxLength, attributes.removeMaxLength],
  notIndexable: [attributes.removeIndex],
  parentGone: [attributes.removeParent],
  extendsCycle: [attributes.removeParent],
  targetGone: [relationships.useNamesake, relationships.removeRelationship],
  targetAttributeGone: [relationships.useKey, relationships.removeRelationship],
  targetType: [relationships.matchType, relationships.useKey],
  targetNotUnique: [relationships.useKey, relationships.makeTargetUnique],
  setNullRequired: [relationships.makeNullable, relationships.refuseDeletion],
  scope: [configuration.defineScope, configuration.removeScope],
  exclusionScoped: [configuration.removeExcludedScopes],
  aggregateEntity: [configuration.removeQuery],
  aggregateField: [configuration.removeQueryColumns],
  aggregateType: [configuration.removeQueryColumns],
  exclusion: [configuration.removeExclusion],
  sotEntity: [configuration.removeSotEntity],
  sotEmpty: [configuration.turnOffSot],
  securityUnused: [configuration.turnOffSecurity],
  rbacUnused: [configuration.turnOffRbac],
}
