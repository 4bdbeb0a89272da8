import type { EntityNode } from '../entity.ts'
import { twoKeysOf } from '../one-key.ts'
import { foldName } from '../paths.ts'
import type { Problem } from '../problem.ts'
import { canIdentify, defaultKind, defaultValue, keyDataType, maxLength } from '../rules/type-attribute.ts'
import { isFault, readChoice, readLiteral } from '../values/literal.ts'
import { error, type Subject, warning } from './subject.ts'
import { texts } from '../messages/validation.ts'

/** No entity declares a name twice. Repeating an inherited name is allowed: it overrides. */
export function repeatedAttributes(entity: EntityNode, subject: Subject): Problem[] {
  const seen = new Set<string>()
  return subject.declaredBy(entity).flatMap(attribute => {
    const isNew = seen.size < seen.add(foldName(attribute.name)).size
    if (isNew) return []
    const message = texts.repeatedAttribute(entity.name, attribute.name)
    return [error('repeatedAttribute', message, subject.pathTo(entity, attribute))]
  })
}

/** Primary keys are integers or strings; imported ones may be others that identify rows. */
export function keyTypes(entity: EntityNode, subject: Subject): Problem[] {
  return subject
    .declaredBy(entity)
    .filter(item => keyDataType(item.dataType, { isKey: item.isPrimaryKey }) !== undefined)
    .map(item => {
      const [report, text] =
        item.kind === 'type' && canIdentify(item.attribute)
          ? ([warning, texts.otherKeyType] as const)
          : ([error, texts.keyType] as const)
      return report('keyType', text(entity.name, item.name, item.dataType), subject.pathTo(entity, item))
    })
}

/** An own key in addition to an inherited one, as in entities older than the rule. */
export function secondKey(entity: EntityNode, subject: Subject): Problem[] {
  const parent = entity.extendsEntity && subject.lookup(entity.extendsEntity.id)
  const bothKeys =
    parent &&
    twoKeysOf(
      entity,
      subject.attributesOf(parent).filter(({ isPrimaryKey }) => isPrimaryKey),
    )
  if (!bothKeys) return []
  const { own, inherited } = bothKeys
  const message = texts.twoKeys(entity.name, own.name, inherited.name, inherited.declaredBy.name)
  return [warning('twoKeys', message, subject.pathTo(entity, own))]
}

/** Every table has a key, own or inherited; required for a package with an API. */
export function missingKey(entity: EntityNode, subject: Subject): Problem[] {
  if (subject.nameConflicts.standsFor.get(entity.id) !== entity) return []
  if (subject.attributesOf(entity).some(attribute => attribute.isPrimaryKey)) return []
  const report = subject.options.forApi ? error : warning
  return [report('noKey', texts.noKey(entity.name), subject.pathOf(entity))]
}

/** No database compares objects in a constraint or an index. */
export function uniqueObjects(entity: EntityNode, subject: Subject): Problem[] {
  return subject
    .declaredBy(entity)
    .filter(item => item.kind === 'type' && item.dataType === 'object')
    .filter(item => item.kind === 'type' && (item.attribute.unique || item.attribute.indexed))
    .map(item => warning('notIndexable', texts.uniqueObject(item.name), subject.pathTo(entity, item)))
}

/**
 * Reports the first choice of an attribute that exceeds the max length, or has another type, which disables the check
 * of choices.
 */
export function choiceTypes(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'foreignKey' || item.choices.length === 0) return []
    const path = subject.pathTo(entity, item)
    for (const choice of item.choices) {
      const read = readChoice(choice, item.attribute)
      if (isFault(read)) return [warning('choicesType', texts.choice(item.name, choice, read.fault), path)]
      const whole = readLiteral(choice, item.attribute)
      if (isFault(whole)) return [warning('choicesLength', texts.choiceLength(item.name, choice, whole.fault), path)]
    }
    return []
  })
}

/** Default values fit their attributes; imported ones may not. */
export function defaultValues(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'foreignKey') return []
    const { attribute } = item
    const message = defaultValue(attribute.defaultValue, attribute) ?? defaultKind(attribute.defaultKind, attribute)
    if (message === undefined) return []
    return [warning('defaultType', texts.defaultValue(item.name, message), subject.pathTo(entity, item))]
  })
}

/** Max lengths are supported by databases; imported ones may not be. */
export function maxLengths(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'foreignKey' || item.attribute.maxLength === null) return []
    const message = maxLength(String(item.attribute.maxLength))
    if (message === undefined) return []
    return [warning('maxLength', texts.maxLength(item.name, message), subject.pathTo(entity, item))]
  })
}
